"""What runs inside the sandbox. It stands alone: the standard library, numpy, pandas, scipy and pyarrow."""
