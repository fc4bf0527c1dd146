# The commands of rest/guides/secrets.md. URL and KEY are in the environment.
set -e

npm run -s secrets -- new

npm run -s secrets -- reseal
