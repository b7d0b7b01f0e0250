import nox

nox.options.default_venv_backend = "none"


@nox.session
def tests(session):
    session.run("pytest", "-q", "../tests/test_many.py", "../tests/test_diff.py", external=True)


@nox.session
def lint(session):
    session.run("ruff", "check", "../lint/good.py", external=True)
