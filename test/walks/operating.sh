# The commands of rest/guides/operating.md. URL and KEY are in the environment.
set -e

curl -s $URL/health; echo
curl -s $URL/ready; echo

. test/walks/tools.sh
get '/cron-runs?limit=1'
