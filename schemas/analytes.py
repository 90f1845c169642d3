"""Laboratory analytes: our key, plain name, the study's unit (UCUM) and the decimals it is shown with.

Keys and units are those of ingest/labs/analytes.csv; a test holds the two together.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Analyte:
    """An analyte in its canonical unit.

    other_factor: by how much a number is larger in the other customary unit (0.05551 for glucose in mmol/L).
    """

    key: str
    label: str
    unit: str
    decimals: int
    other_factor: float | None = None


# What means something only of a fasting person: computed by us, published only where fasting is known.
FASTING_ONLY = ("homa_ir",)

ANALYTES = (
    Analyte("glucose", "Glucose", "mg/dL", 0, 0.05551),
    Analyte("urea_nitrogen", "Urea nitrogen", "mg/dL", 0, 0.357),
    Analyte("urea", "Urea", "mg/dL", 0, 0.1665),
    Analyte("creatinine", "Creatinine", "mg/dL", 2, 88.4),
    Analyte("egfr", "eGFR (CKD-EPI 2021)", "mL/min/{1.73_m2}", 0),
    Analyte("egfr_2009", "eGFR (CKD-EPI 2009)", "mL/min/{1.73_m2}", 0),
    Analyte("urea_nitrogen_creatinine_ratio", "Urea nitrogen/creatinine ratio", "1", 0),
    Analyte("cystatin_c", "Cystatin C", "mg/L", 2),
    Analyte("sodium", "Sodium", "mmol/L", 0),
    Analyte("potassium", "Potassium", "mmol/L", 1),
    Analyte("chloride", "Chloride", "mmol/L", 0),
    Analyte("carbon_dioxide", "Carbon dioxide", "mmol/L", 0),
    Analyte("bicarbonate", "Bicarbonate", "mmol/L", 0),
    Analyte("anion_gap", "Anion gap", "mmol/L", 0),
    Analyte("calcium", "Calcium", "mg/dL", 1, 0.2495),
    Analyte("phosphate", "Phosphate", "mg/dL", 1, 0.3229),
    Analyte("magnesium", "Magnesium", "mg/dL", 1, 0.4114),
    Analyte("urate", "Uric acid", "mg/dL", 1, 59.48),
    Analyte("total_protein", "Total protein", "g/dL", 1, 10),
    Analyte("albumin", "Albumin", "g/dL", 1, 10),
    Analyte("globulin", "Globulin", "g/dL", 1, 10),
    Analyte("albumin_globulin_ratio", "Albumin/globulin ratio", "1", 1),
    Analyte("bilirubin_total", "Total bilirubin", "mg/dL", 1, 17.1),
    Analyte("bilirubin_direct", "Direct bilirubin", "mg/dL", 1, 17.1),
    Analyte("bilirubin_indirect", "Indirect bilirubin", "mg/dL", 1, 17.1),
    Analyte("alkaline_phosphatase", "Alkaline phosphatase", "U/L", 0),
    Analyte("ast", "AST", "U/L", 0),
    Analyte("alt", "ALT", "U/L", 0),
    Analyte("ggt", "GGT", "U/L", 0),
    Analyte("ldh", "LDH", "U/L", 0),
    Analyte("creatine_kinase", "Creatine kinase", "U/L", 0),
    Analyte("total_cholesterol", "Total cholesterol", "mg/dL", 0, 0.02586),
    Analyte("triglycerides", "Triglycerides", "mg/dL", 0, 0.01129),
    Analyte("hdl_cholesterol", "HDL cholesterol", "mg/dL", 0, 0.02586),
    Analyte("ldl_cholesterol", "LDL cholesterol", "mg/dL", 0, 0.02586),
    Analyte("non_hdl_cholesterol", "Non-HDL cholesterol", "mg/dL", 0, 0.02586),
    Analyte("vldl_cholesterol", "VLDL cholesterol", "mg/dL", 0, 0.02586),
    Analyte("cholesterol_hdl_ratio", "Cholesterol/HDL ratio", "1", 1),
    Analyte("ldl_hdl_ratio", "LDL/HDL ratio", "1", 1),
    Analyte("apolipoprotein_b", "Apolipoprotein B", "mg/dL", 0, 0.01),
    Analyte("apolipoprotein_a1", "Apolipoprotein A-I", "mg/dL", 0, 0.01),
    Analyte("lipoprotein_a_moles", "Lipoprotein(a)", "nmol/L", 0),
    Analyte("lipoprotein_a_mass", "Lipoprotein(a), by mass", "mg/dL", 0),
    Analyte("hba1c", "HbA1c", "%", 1),
    Analyte("estimated_average_glucose", "Estimated average glucose", "mg/dL", 0, 0.05551),
    Analyte("insulin", "Insulin", "u[IU]/mL", 1, 6),
    Analyte("homa_ir", "HOMA-IR", "1", 2),
    Analyte("c_peptide", "C-peptide", "ng/mL", 1, 0.331),
    Analyte("hs_crp", "hs-CRP", "mg/L", 1),
    Analyte("crp", "CRP", "mg/L", 1),
    Analyte("homocysteine", "Homocysteine", "umol/L", 1),
    Analyte("esr", "Sedimentation rate", "mm/h", 0),
    Analyte("tsh", "TSH", "m[IU]/L", 2),
    Analyte("free_t4", "Free T4", "ng/dL", 2, 12.87),
    Analyte("free_t3", "Free T3", "pg/mL", 1, 1.536),
    Analyte("total_t3", "Total T3", "ng/dL", 0, 0.01536),
    Analyte("total_t4", "Total T4", "ug/dL", 1, 12.87),
    Analyte("tpo_antibodies", "TPO antibodies", "[IU]/mL", 0),
    Analyte("testosterone_total", "Total testosterone", "ng/dL", 0, 0.03467),
    Analyte("testosterone_free", "Free testosterone", "pg/mL", 1, 3.467),
    Analyte("testosterone_bioavailable", "Bioavailable testosterone", "ng/dL", 1, 0.03467),
    Analyte("shbg", "SHBG", "nmol/L", 0),
    Analyte("estradiol", "Estradiol", "pg/mL", 0, 3.671),
    Analyte("dhea_sulfate", "DHEA sulfate", "ug/dL", 0, 0.02714),
    Analyte("cortisol", "Cortisol", "ug/dL", 1, 27.59),
    Analyte("prolactin", "Prolactin", "ng/mL", 1, 21.2),
    Analyte("fsh", "FSH", "m[IU]/mL", 1),
    Analyte("lh", "LH", "m[IU]/mL", 1),
    Analyte("psa", "PSA", "ng/mL", 2),
    Analyte("igf_1", "IGF-1", "ng/mL", 0, 0.131),
    Analyte("vitamin_d_25oh", "Vitamin D (25-OH)", "ng/mL", 0, 2.496),
    Analyte("vitamin_d3_25oh", "Vitamin D3 (25-OH)", "ng/mL", 0, 2.496),
    Analyte("vitamin_b12", "Vitamin B12", "pg/mL", 0, 0.7378),
    Analyte("folate", "Folate", "ng/mL", 1, 2.266),
    Analyte("ferritin", "Ferritin", "ng/mL", 0),
    Analyte("iron", "Iron", "ug/dL", 0, 0.1791),
    Analyte("iron_binding_capacity", "Iron binding capacity", "ug/dL", 0, 0.1791),
    Analyte("transferrin_saturation", "Transferrin saturation", "%", 0, 0.01),
    Analyte("transferrin", "Transferrin", "mg/dL", 0, 0.01),
    Analyte("zinc", "Zinc", "ug/dL", 0, 0.153),
    Analyte("leukocytes", "White blood cells", "10*3/uL", 1),
    Analyte("erythrocytes", "Red blood cells", "10*6/uL", 2),
    Analyte("hemoglobin", "Hemoglobin", "g/dL", 1, 10),
    Analyte("hematocrit", "Hematocrit", "%", 1, 0.01),
    Analyte("mcv", "MCV", "fL", 1),
    Analyte("mch", "MCH", "pg", 1),
    Analyte("mchc", "MCHC", "g/dL", 1, 10),
    Analyte("rdw_cv", "RDW", "%", 1),
    Analyte("rdw_sd", "RDW-SD", "fL", 1),
    Analyte("platelets", "Platelets", "10*3/uL", 0),
    Analyte("mpv", "MPV", "fL", 1),
    Analyte("neutrophils_percent", "Neutrophils, share", "%", 0),
    Analyte("lymphocytes_percent", "Lymphocytes, share", "%", 0),
    Analyte("monocytes_percent", "Monocytes, share", "%", 0),
    Analyte("eosinophils_percent", "Eosinophils, share", "%", 0),
    Analyte("basophils_percent", "Basophils, share", "%", 0),
    Analyte("neutrophils_absolute", "Neutrophils", "10*3/uL", 1),
    Analyte("lymphocytes_absolute", "Lymphocytes", "10*3/uL", 1),
    Analyte("monocytes_absolute", "Monocytes", "10*3/uL", 1),
    Analyte("eosinophils_absolute", "Eosinophils", "10*3/uL", 1),
    Analyte("basophils_absolute", "Basophils", "10*3/uL", 1),
    Analyte("immature_granulocytes_percent", "Immature granulocytes, share", "%", 0),
    Analyte("immature_granulocytes_absolute", "Immature granulocytes", "10*3/uL", 1),
    Analyte("urine_albumin", "Urine albumin", "mg/L", 0),
    Analyte("urine_creatinine", "Urine creatinine", "mg/dL", 0, 0.0884),
    Analyte("urine_albumin_creatinine_ratio", "Urine albumin/creatinine ratio", "mg/g", 0, 0.113),
    Analyte("adjusted_calcium", "Calcium, adjusted for albumin", "mmol/L", 2),
    Analyte("band_neutrophils_absolute", "Band neutrophils", "10*3/uL", 1),
)
