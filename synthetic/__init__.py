"""Made studies in true export forms, with their truth beside them."""
