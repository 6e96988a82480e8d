# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials by words, as `supple presets` lists them.

The lists are here so that the panel works before the simulator is installed. A .blend stores the numbers at the end of the
entries: keep them when words are added.
"""

SOLIDS = (
    ("jelly", "Jelly", "Gelatine dessert", 0),
    ("rubber", "Rubber", "Vulcanised rubber, Shore A 60: tyres, balls", 1),
    ("soft-rubber", "Soft rubber", "Shore A 30: rubber bands, bath toys", 2),
    ("silicone", "Silicone", "Casting silicone for skins of puppets and prostheses", 3),
    ("steak", "Steak", "Raw beef, across the fibres", 4),
    ("muscle", "Muscle", "Skeletal muscle at rest", 5),
    ("liver", "Liver", "Healthy liver", 6),
    ("fat", "Fat", "Adipose tissue: bellies and cheeks", 7),
    ("brain", "Brain", "Grey and white matter", 8),
    ("foam", "Foam", "Flexible polyurethane foam: cushions", 9),
    ("memory-foam", "Memory foam", "Viscoelastic foam: mattresses", 10),
    ("sponge", "Sponge", "Dry bath sponge", 11),
    ("cork", "Cork", "Natural cork", 12),
    ("bread", "Bread", "Crumb of white bread", 13),
)
SHEETS = (
    ("cotton", "Cotton", "Poplin of 120 g/m²: shirts, bed linen", 0),
    ("silk", "Silk", "Habotai of 70 g/m²: scarves, linings", 1),
    ("denim", "Denim", "Twill of 400 g/m²: jeans", 2),
    ("wool", "Wool", "Suiting of 250 g/m²", 3),
    ("wool-knit", "Wool knit", "Jersey of 300 g/m²: pullovers", 4),
    ("nylon", "Nylon", "Ripstop of 53 g/m²: kites, jackets", 5),
    ("leather", "Leather", "Cowhide for bags and saddles", 6),
    ("paper", "Paper", "Copy paper of 80 g/m²", 7),
    ("balloon", "Balloon", "Latex of a party balloon", 8),
    ("skin", "Skin", "Human skin, at small strains", 9),
    ("plastic-film", "Plastic film", "Polyethylene of 30 um: bags", 10),
    ("aluminium-foil", "Aluminium foil", "Household foil of 16 um", 11),
    ("steel-sheet", "Steel sheet", "Cold-rolled sheet of 0.8 mm", 12),
)
PLATES = (
    ("rubber", "Rubber", "Vulcanised rubber, Shore A 60", 0),
    ("soft-rubber", "Soft rubber", "Shore A 30", 1),
    ("silicone", "Silicone", "Casting silicone", 2),
    ("foam", "Foam", "Flexible polyurethane foam", 3),
    ("cork", "Cork", "Natural cork", 4),
    ("leather", "Leather", "Cowhide", 5),
    ("skin", "Skin", "Human skin, at small strains", 6),
    ("paper", "Paper", "Stiff paper and card", 7),
    ("steel-sheet", "Steel sheet", "Cold-rolled steel", 8),
)
"""Words for shells, which take their thickness from the panel."""
RODS = (
    ("rubber", "Rubber", "Vulcanised rubber, Shore A 60", 0),
    ("soft-rubber", "Soft rubber", "Shore A 30: rubber bands", 1),
    ("silicone", "Silicone", "Casting silicone", 2),
    ("leather", "Leather", "Cowhide: straps", 3),
    ("nylon", "Nylon", "Nylon fabric, as in cords", 4),
)
ROD_FIGURES = {
    "rubber": (3.6e6, 1150.0, 0.12),
    "soft-rubber": (1.1e6, 950.0, 0.06),
    "silicone": (1e6, 1080.0, 0.1),
    "leather": (1e8, 900.0, 0.15),
    "nylon": (4.3e8, 534.0, 0.1),
}
"""Young's modulus [Pa], density [kg/m^3] and loss factor: words of supple are for solids and sheets, so ropes are written out."""
