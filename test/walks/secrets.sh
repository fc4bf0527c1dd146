# The commands of rest/guides/secrets.md. URL and KEY are in the environment.
set -e

tollgate secrets new

tollgate secrets reseal
