# The public names of supple. Written by tools/write_api.py: `make docs`.

# Model
from supple.formulas.curves import Curve as Curve
from supple.formulas.places.fields import Field as Field
from supple.formulas.values import VectorField as VectorField
from supple.mesh.mesh import Mesh as Mesh
from supple.model.assemble import assemble as assemble
from supple.model.attachments import Attachment as Attachment
from supple.model.body import Body as Body
from supple.model.changing.muscle import Muscle as Muscle
from supple.model.contact import Contact as Contact
from supple.model.direction.direction import Directions as Directions
from supple.model.energies.soft_pin import SoftPin as SoftPin
from supple.model.initial import Initial as Initial
from supple.model.initial import Turn as Turn
from supple.model.initial import Twist as Twist
from supple.model.model import Model as Model
from supple.model.motion import Motion as Motion
from supple.model.motion import Moves as Moves
from supple.model.motion import Rotation as Rotation
from supple.model.motion import Translation as Translation
from supple.model.moving.keyframe import Keyframe as Keyframe
from supple.model.moving.orientation import AxisAngle as AxisAngle
from supple.model.obstacle import MeshObstacle as MeshObstacle
from supple.model.obstacle import Obstacle as Obstacle
from supple.model.placed import Placed as Placed
from supple.model.points.points import Points as Points
from supple.model.presets.preset import Preset as Preset
from supple.model.presets.preset import preset as preset
from supple.model.regions.made import RegionMaterial as RegionMaterial
from supple.model.regions.region import LayeredRegion as LayeredRegion
from supple.model.regions.region import Region as Region
from supple.model.regions.region import TaggedRegion as TaggedRegion
from supple.model.regions.region import Tubular as Tubular
from supple.model.regions.region import VoxelRegion as VoxelRegion
from supple.model.selection import Beyond as Beyond
from supple.model.selection import Nearest as Nearest
from supple.model.selection import Selection as Selection
from supple.model.selection import Within as Within
from supple.model.source import CoarseFile as CoarseFile
from supple.model.source import MeshFile as MeshFile
from supple.model.thin import Bending as Bending
from supple.model.thin import Kept as Kept
from supple.model.thin import Pressure as Pressure
from supple.model.world import World as World

# Shapes
from supple.mesh.shapes.figure import Character as Character
from supple.mesh.shapes.organ import Organ as Organ
from supple.mesh.shapes.round import Ball as Ball
from supple.mesh.shapes.round import Cylinder as Cylinder
from supple.mesh.shapes.round import Torus as Torus
from supple.mesh.shapes.slab import Slab as Slab
from supple.mesh.shapes.solid import Bar as Bar
from supple.mesh.shapes.solid import Cube as Cube
from supple.mesh.shapes.surface import Box as Box
from supple.mesh.shapes.surface import Sphere as Sphere
from supple.mesh.shapes.surface import Tube as Tube
from supple.mesh.shapes.thin import Cloth as Cloth
from supple.mesh.shapes.thin import Rope as Rope
from supple.mesh.shapes.tree import Tree as Tree

# Shapes of obstacles
from supple.contact.obstacles.half_space import HalfSpace as HalfSpace
from supple.contact.obstacles.implicit import ImplicitShape as ImplicitShape
from supple.contact.obstacles.shapes import BoxShape as BoxShape
from supple.contact.obstacles.shapes import Capsule as Capsule
from supple.contact.obstacles.shapes import SphereShape as SphereShape
from supple.contact.obstacles.stairs import Stairs as Stairs

# Materials
from supple.materials.corotated import ARAP as ARAP
from supple.materials.corotated import Corotated as Corotated
from supple.materials.fibrous.artery import HolzapfelGasserOgden as HolzapfelGasserOgden
from supple.materials.fibrous.reinforced import TransverselyIsotropic as TransverselyIsotropic
from supple.materials.flow.fluid import Fluid as Fluid
from supple.materials.flow.sand import Sand as Sand
from supple.materials.flow.snow import Snow as Snow
from supple.materials.flow.von_mises import VonMises as VonMises
from supple.materials.formula_material import Formula as Formula
from supple.materials.linear import Linear as Linear
from supple.materials.membranes.laws import NeoHookeanMembrane as NeoHookeanMembrane
from supple.materials.membranes.laws import RubberMembrane as RubberMembrane
from supple.materials.membranes.laws import StVKMembrane as StVKMembrane
from supple.materials.membranes.own import OwnMembrane as OwnMembrane
from supple.materials.membranes.plane_strain import NeoHookeanPlaneStrain as NeoHookeanPlaneStrain
from supple.materials.membranes.plane_strain import StVKPlaneStrain as StVKPlaneStrain
from supple.materials.membranes.woven import FungMembrane as FungMembrane
from supple.materials.membranes.woven import OrthotropicMembrane as OrthotropicMembrane
from supple.materials.mooney_rivlin import ModifiedNeoHookean as ModifiedNeoHookean
from supple.materials.mooney_rivlin import MooneyRivlin as MooneyRivlin
from supple.materials.neo_hookean import NeoHookean as NeoHookean
from supple.materials.principal.hencky import Hencky as Hencky
from supple.materials.principal.hyperfoam import Hyperfoam as Hyperfoam
from supple.materials.principal.ogden import Ogden as Ogden
from supple.materials.solids.compressible import BlatzKo as BlatzKo
from supple.materials.solids.compressible import CiarletGeymonat as CiarletGeymonat
from supple.materials.solids.compressible import StVKKikuuwe as StVKKikuuwe
from supple.materials.solids.orthotropic import FungOrthotropic as FungOrthotropic
from supple.materials.solids.orthotropic import Orthotropic as Orthotropic
from supple.materials.solids.rubber import ArrudaBoyce as ArrudaBoyce
from supple.materials.solids.rubber import Gent as Gent
from supple.materials.solids.rubber import GentGent as GentGent
from supple.materials.solids.rubber import LopezPamies as LopezPamies
from supple.materials.solids.rubber import Yeoh as Yeoh
from supple.materials.solids.tissue import Fung as Fung
from supple.materials.solids.tissue import VerondaWestmann as VerondaWestmann
from supple.materials.stable_neo_hookean import StableNeoHookean as StableNeoHookean
from supple.materials.stable_neo_hookean import StableNeoHookeanLog as StableNeoHookeanLog
from supple.materials.stvk import StVK as StVK
from supple.model.materials.coarse import Coarse as Coarse
from supple.model.materials.corotational import Corotational as Corotational
from supple.model.materials.own_springs import OwnSpring as OwnSpring
from supple.model.materials.rod import Rod as Rod
from supple.model.materials.shell import DiscreteShell as DiscreteShell
from supple.model.materials.springs import HookeSpring as HookeSpring
from supple.model.materials.springs import StVKSpring as StVKSpring

# Integrators
from supple.adaptive.error_control import ErrorControl as ErrorControl
from supple.adaptive.naive import AdaptiveNaive as AdaptiveNaive
from supple.adaptive.reversible import AdaptiveReversible as AdaptiveReversible
from supple.adaptive.rules import AccelerationRule as AccelerationRule
from supple.adaptive.rules import ConstantRule as ConstantRule
from supple.adaptive.rules import ElasticRule as ElasticRule
from supple.adaptive.rules import PhaseRule as PhaseRule
from supple.adaptive.rules import PosesRule as PosesRule
from supple.adaptive.rules import SwitchingRule as SwitchingRule
from supple.adaptive.symplectic import AdaptiveExplicit as AdaptiveExplicit
from supple.adaptive.symplectic import AdaptiveSymplectic as AdaptiveSymplectic
from supple.budget.energy_budget import EnergyBudget as EnergyBudget
from supple.budget.points import PointBudget as PointBudget
from supple.integrators.explicit.runge_kutta import ExplicitMidpoint as ExplicitMidpoint
from supple.integrators.explicit.runge_kutta import ForwardEuler as ForwardEuler
from supple.integrators.explicit.runge_kutta import RK4 as RK4
from supple.integrators.explicit.semi_implicit_newmark import SemiImplicitNewmark as SemiImplicitNewmark
from supple.integrators.explicit.symplectic import SymplecticEuler as SymplecticEuler
from supple.integrators.explicit.symplectic import Verlet as Verlet
from supple.integrators.exponential.ere import ERE as ERE
from supple.integrators.exponential.hybrids import BDF2ERE as BDF2ERE
from supple.integrators.exponential.hybrids import BEERE as BEERE
from supple.integrators.exponential.hybrids import SBDF2ERE as SBDF2ERE
from supple.integrators.exponential.hybrids import SIERE as SIERE
from supple.integrators.exponential.hybrids import STRSBDF2ERE as STRSBDF2ERE
from supple.integrators.exponential.hybrids import TRBDF2ERE as TRBDF2ERE
from supple.integrators.exponential.semi_implicit import SBDF2 as SBDF2
from supple.integrators.exponential.semi_implicit import SSDIRK as SSDIRK
from supple.integrators.exponential.semi_implicit import STRSBDF2 as STRSBDF2
from supple.integrators.exponential.semi_implicit import SemiImplicit as SemiImplicit
from supple.integrators.implicit.avf import AVF as AVF
from supple.integrators.implicit.backward_euler import BackwardEuler as BackwardEuler
from supple.integrators.implicit.bdf2 import BDF2 as BDF2
from supple.integrators.implicit.energy_momentum import Gonzalez as Gonzalez
from supple.integrators.implicit.energy_momentum import SimoTarnow as SimoTarnow
from supple.integrators.implicit.gauss import Gauss4 as Gauss4
from supple.integrators.implicit.midpoint import Midpoint as Midpoint
from supple.integrators.implicit.newmark import GeneralizedAlpha as GeneralizedAlpha
from supple.integrators.implicit.newmark import Newmark as Newmark
from supple.integrators.implicit.newmark import Trapezoid as Trapezoid
from supple.integrators.implicit.quasi_static import QuasiStatic as QuasiStatic
from supple.integrators.implicit.sdirk import SDIRK3 as SDIRK3
from supple.integrators.implicit.sdirk import SDIRK4 as SDIRK4
from supple.integrators.implicit.tr_bdf2 import Bathe as Bathe
from supple.integrators.implicit.tr_bdf2 import SDIRK2 as SDIRK2
from supple.integrators.implicit.tr_bdf2 import TRBDF2 as TRBDF2
from supple.integrators.linear.corotational import CorotationalReversible as CorotationalReversible
from supple.integrators.points.mpm import Mpm as Mpm
from supple.integrators.position_based.xpbd import PBD as PBD
from supple.integrators.position_based.xpbd import XPBD as XPBD
from supple.integrators.springs.conserving_springs import ConservingSprings as ConservingSprings
from supple.integrators.variational.steps import Variational as Variational
from supple.integrators.yoshida import Yoshida as Yoshida
from supple.points.transfer import APIC as APIC
from supple.points.transfer import ASFLIP as ASFLIP
from supple.points.transfer import AffineFLIP as AffineFLIP
from supple.points.transfer import FLIP as FLIP
from supple.points.transfer import PIC as PIC

# Dampings
from supple.damping.aerodynamic import Aerodynamic as Aerodynamic
from supple.damping.dashpot import Dashpot as Dashpot
from supple.damping.drag import AirDrag as AirDrag
from supple.damping.formula import OwnDamping as OwnDamping
from supple.damping.rayleigh import Rayleigh as Rayleigh
from supple.damping.structure_preserving import StructurePreserving as StructurePreserving
from supple.damping.viscosity import Viscosity as Viscosity

# Fields
from supple.model.fields.air import Air as Air
from supple.model.fields.attractor import Attractor as Attractor
from supple.model.fields.drag import DragField as DragField
from supple.model.fields.force import Force as Force
from supple.model.fields.region import FieldRegion as FieldRegion
from supple.model.fields.swirl import Swirl as Swirl
from supple.model.fields.turbulence import Turbulence as Turbulence
from supple.model.fields.vortex import Vortex as Vortex
from supple.model.fields.wind import Wind as Wind

# Constraints
from supple.model.constraints.rods import Rods as Rods
from supple.model.constraints.surfaces import InPlane as InPlane
from supple.model.constraints.surfaces import OnBall as OnBall
from supple.model.constraints.surfaces import OnImplicit as OnImplicit
from supple.model.constraints.surfaces import OnWire as OnWire
from supple.model.constraints.volume import KeptVolume as KeptVolume

# Running
from supple.errors import SuppleError as SuppleError
from supple.errors import SuppleWarning as SuppleWarning
from supple.loop import Frame as Frame
from supple.runs.results import Run as Run
from supple.runs.results import open_run as open_run
from supple.runs.running import load as load
from supple.runs.running import resume as resume
from supple.runs.running import run as run
from supple.runs.simulating import simulate as simulate
from supple.scene.tables.setup import Setup as Setup
from supple.scene.text.plugins import load_plugin as load_plugin
from supple.solvers.options import SolverOptions as SolverOptions
from supple.sweeps.results import Sweep as Sweep
from supple.sweeps.results import resume_sweep as resume_sweep
from supple.sweeps.results import sweep as sweep

# Derivatives and fits
from supple.fits.fit import Fit as Fit
from supple.fits.gradient import Gradient as Gradient
from supple.fits.gradient import gradient as gradient
from supple.fits.losses.losses import Loss as Loss
from supple.fits.losses.losses import energy_at as energy_at
from supple.fits.losses.losses import follow as follow
from supple.fits.losses.losses import highest as highest
from supple.fits.losses.losses import hit as hit
from supple.fits.losses.losses import pose as pose
from supple.fits.losses.losses import roughness as roughness
from supple.fits.results.result import FitResult as FitResult
from supple.fits.unknowns import Unknown as Unknown
from supple.sensitivity.record import Record as Record
from supple.sensitivity.record import record as record
from supple.sensitivity.sweeps import Bars as Bars
from supple.sensitivity.sweeps import Direction as Direction
from supple.sensitivity.sweeps import Share as Share
from supple.sensitivity.sweeps import pull as pull
from supple.sensitivity.sweeps import push as push

# Recording
from supple.recording.history import read_history as read_history
from supple.recording.playback import open_animation as open_animation

# Analysis and files
from supple.analysis.materials.curves import material_curves as material_curves
from supple.analysis.materials.data import read_stress_data as read_stress_data
from supple.analysis.materials.fitting import fit_material as fit_material
from supple.analysis.spectrum import spectrum as spectrum
from supple.dynamics.invariants import momenta as momenta
from supple.materials.rest.at_rest import AtRest as AtRest
from supple.materials.rest.facts import MaterialFacts as MaterialFacts
from supple.materials.rest.facts import material_facts as material_facts
from supple.mesh.formats import load_mesh as load_mesh
from supple.mesh.formats import write_mesh as write_mesh
from supple.runs.judge import judge as judge

# Bases of your own classes
from supple.analysis.own import Analysis as Analysis
from supple.constraints.own import OwnConstraint as OwnConstraint
from supple.damping.damper import Damping as Damping
from supple.damping.formula import dissipation as dissipation
from supple.dynamics.state import State as State
from supple.energies.term import EnergyTerm as EnergyTerm
from supple.integrators.method import Method as Method
from supple.materials.formula_material import FormulaMaterial as FormulaMaterial
from supple.materials.formula_material import material as material
from supple.materials.material import Material as Material
from supple.materials.membranes.membrane import MembraneLaw as MembraneLaw
from supple.materials.membranes.own import membrane as membrane
from supple.model.constraints.constraint import Constraint as Constraint
from supple.model.energies.energy import Energy as Energy
from supple.model.fields.field import ForceField as ForceField
from supple.model.materials.own_springs import spring as spring
from supple.model.materials.structure import Structure as Structure
from supple.model.thin import bending as bending
from supple.scene.own_tables import SceneTable as SceneTable
from supple.scene.register import register as register

__version__: str
