# The commands of rest/guides/secrets.md. URL and KEY are in the environment.
set -e

npx tollgate secrets new

npx tollgate secrets reseal
