// Search from the file system: browsers refuse workers of pages without a server, so a hidden frame takes the place of the
// worker. The theme loads this file before its own scripts (`extra.polyfills` in mkdocs.yml); served pages keep real workers.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      frame.title = "search worker"
      document.body.appendChild(frame)
      this.inside = frame.contentWindow
      this.loaded = new Promise((resolve) => {
        const script = this.inside.document.createElement("script")
        script.src = url
        script.onload = resolve
        script.onerror = () => this.dispatchEvent(new Event("error"))
        this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }))
        this.inside.document.body.appendChild(script)
      })
    }

    postMessage(data) {
      this.loaded.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })))
    }
  }
}
