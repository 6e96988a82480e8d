"""How the linear systems of Newton's method are solved: preconditioners that are kept, shifts, and the choice between them."""
