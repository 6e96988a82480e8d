"""The studio's light for VTK: the formulas of shading.py in GLSL, without the shadows and depths that need a whole picture.

Shadows are baked into the point colours; the path through a clear body is estimated from the viewing angle.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.render.drawing.studio.lamps import AMBIENT, FILL, KEY, RIM, Lamps, linear
from supple.render.drawing.studio.shading import BOX, BRIGHT, ROOM, STRAIGHT, STRIP
from supple.render.looks.feel import Feel
from supple.render.shot import Shot

_PLACE = "//VTK::Light::Impl"
_CODE = f"""
  vec3 n = normalVCVSOutput;
  vec3 eye = normalize(-vertexVC.xyz);
  vec3 own = pow(max(diffuseColor, vec3(0.0)), vec3(2.2));
  float facing = clamp(dot(n, eye), 0.0, 1.0);
  float away = pow(1.0 - facing, 3.0);
  float graze = pow(1.0 - facing, 5.0);
  float key = {KEY} * max((dot(n, keyLamp) + wrap) / (1.0 + wrap), 0.0);
  float side = {FILL} * max((dot(n, fillLamp) + 0.3) / 1.3, 0.0) + {RIM} * max(dot(n, rimLamp), 0.0) * (0.25 + 0.75 * away);
  float sky = 0.5 + 0.5 * dot(n, upward);
  vec3 room = {AMBIENT} * (sky + (1.0 - sky) * 0.55 * floorLight);
  vec3 left = own * (room + key + side) + sheen * away * (0.45 + 0.55 * own) * (room + 0.7 * key + side);
  vec3 ray = 2.0 * facing * n - eye;
  float bright = 0.0;
  for (int q = 0; q < 2; q++) {{
    vec3 lamp = q == 0 ? keyLamp : rimLamp;
    vec2 extent = q == 0 ? vec2({BOX}, {BOX}) : vec2(0.12, 0.8);
    float c = dot(ray, lamp);
    if (c > 0.05) {{
      float across = dot(ray, normalize(cross(upward, lamp))) / c;
      float along = sqrt(max(1.0 / (c * c) - 1.0 - across * across, 0.0));
      vec2 s = clamp((extent + 0.7 * blur - abs(vec2(across, along))) / (1.4 * blur + 0.02), 0.0, 1.0);
      s = s * s * (3.0 - 2.0 * s);
      bright += (q == 0 ? {BRIGHT} : {STRIP}) / (1.0 + 2.5 * blur) * s.x * s.y;
    }}
  }}
  float f = smoothstep(0.0, 1.0, 0.5 - 1.6 * dot(ray, upward));
  float seen = {ROOM} * mix(0.35, floorLight.y, f) * (min(gloss, {STRAIGHT}) + grazing * graze);
  if (clearness > 0.0) {{
    vec3 passed = pow(max(own, vec3(0.004)), vec3(1.6 * facing));
    left = (1.0 - clearness) * left + clearness * (0.8 * passed * floorLight + own * (0.5 * {AMBIENT} + 0.4 * key));
  }}
  vec3 light = left + seen + (gloss + max(grazing - gloss, 0.0) * graze) * bright;
  vec3 bent = 0.72 + 0.28 * (1.0 - exp(-(max(light, 0.72) - 0.72) / 0.28));
  light = mix(light, bent, step(0.72, light));
  gl_FragData[0] = vec4(pow(max(light, vec3(0.0)), vec3(1.0 / 2.2)) * opacity, opacity);
"""


def dress(actor: Any, feel: Feel) -> None:
    """Apply the studio lighting to an actor."""
    shader = actor.GetShaderProperty()
    shader.AddFragmentShaderReplacement(_PLACE, True, _CODE, False)
    numbers = shader.GetFragmentCustomUniforms()
    for name, value in (
        ("wrap", feel.wrap), ("gloss", feel.gloss), ("grazing", feel.edge), ("blur", feel.blur), ("sheen", feel.sheen),
        ("clearness", feel.clear),
    ):  # fmt: skip
        numbers.SetUniformf(name, value)
    actor.prop.ambient, actor.prop.diffuse = 0.0, 1.0


def light(actor: Any, shot: Shot) -> None:
    """Move the lamps to their positions for this view."""
    numbers = actor.GetShaderProperty().GetFragmentCustomUniforms()
    rows = Lamps.of(shot).rows(shot.view.axes)
    for name, value in zip(("keyLamp", "fillLamp", "rimLamp", "upward"), rows, strict=True):
        numbers.SetUniform3f(name, [float(c) for c in value])
    numbers.SetUniform3f("floorLight", [float(c) for c in np.asarray(linear(shot.look.floor))])
