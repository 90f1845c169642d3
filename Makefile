# Two commands do everything, set-up included: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
DEMO_OUT ?= demo-out
STAMP := .venv/.ready

# Each of the many processes the tests start would compile the project anew without its bytecode.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test setup check quick tests proof golden docs lint types stale clean lock

demo: setup  ## A made study through the whole job; prints where the reports are.
	$(BIN)/pha demo --out $(DEMO_OUT)

test: setup  ## Lint, types, stale documentation and all tests.
	@$(MAKE) --no-print-directory -j4 lint stale types tests

# Types take one core for minutes, so that they are looked at beside the tests.
tests:
	@$(BIN)/python -m pytest -q -n 2 --dist loadfile --no-loadscope-reorder

stale:
	@$(BIN)/python -m pha.docs_pages --check

check: setup  ## Within a minute: lint, types and the quick tests (no Prefect, sandbox or samples).
	@$(MAKE) --no-print-directory -j3 --output-sync=target lint types quick

quick:
	@$(BIN)/python -m pytest -q -n 2 --dist loadfile --no-loadscope-reorder \
		-m "not prefect and not sandbox and not samples and not proof and not slow"

proof: setup  ## Kills, threads, order and batch sizes: the same bytes in the end (4 participants, 30 days).
	$(BIN)/python -m pytest -q -x -m proof -n 2 --dist loadfile --timeout 1500 tests/flows/test_proof.py tests

golden: setup  ## Make the golden folders again after an intended change of results.
	$(BIN)/python tests/golden/make.py

docs: setup  ## Write the generated pages again.
	$(BIN)/python -m pha.docs_pages

lint:
	@$(BIN)/ruff check . || { echo 'mend: .venv/bin/ruff check --fix .'; exit 1; }
	@$(BIN)/ruff format --check . || { echo 'mend: .venv/bin/ruff format .'; exit 1; }

types:
	@$(BIN)/basedpyright || { echo 'mend: .venv/bin/basedpyright shows the lines'; exit 1; }

setup: $(STAMP)
	@sh setup/bubblewrap.sh
	@sh setup/tesseract.sh

$(STAMP): requirements.lock requirements-ocr.lock pyproject.toml setup/environment.sh
	sh setup/environment.sh $(PYTHON)
	@touch $@

lock:  ## Resolve the versions again.
	.uv/bin/uv pip compile -q --universal --generate-hashes --no-annotate --python-version 3.11 --extra dev --extra models pyproject.toml -o requirements.lock
	.uv/bin/uv pip compile -q --universal --generate-hashes --no-annotate --python-version 3.11 --extra dev --extra models --extra ocr -c requirements.lock pyproject.toml -o requirements-ocr.lock

clean:
	rm -rf .venv .uv $(DEMO_OUT)
