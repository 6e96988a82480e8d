"""Fine surfaces that tets carry along."""
