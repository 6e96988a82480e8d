"""The set-up of a run as a USD stage: deformable bodies, materials, attachments, colliders and gravity beside the motion."""
