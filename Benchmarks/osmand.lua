-- One fix a request, each with a time of its own: thread T of N counts T, T+N, T+2N…
local threads = 0
function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end
function init(arguments)
  secret, step, at = arguments[1], tonumber(arguments[2]), tonumber(arguments[3]) + number
end
function request()
  at = at + step
  return wrk.format("GET", "/ingest/osmand?id=" .. secret .. "&lat=50.1&lon=6.1&accuracy=5&timestamp=" .. at .. "000")
end
function response(status)
  if status ~= 200 then refused = (refused or 0) + 1 end
end
