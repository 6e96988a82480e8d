# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of Blender: their meshes over time, and results on them."""
