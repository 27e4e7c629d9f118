-- One fix a request, of many phones in turn, each with its own time: thread T of N speaks for phones T, T+N, T+2N…
local threads = 0
function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end
function init(arguments)
  local step = tonumber(arguments[1])
  at, phone, ids = tonumber(arguments[2]), 0, {}
  for index = 3 + number, #arguments, step do ids[#ids + 1] = arguments[index] end
end
function request()
  phone = phone + 1
  if phone > #ids then phone, at = 1, at + 1 end
  return wrk.format("GET", "/ingest/osmand?id=" .. ids[phone] .. "&lat=50.1&lon=6.1&accuracy=5&timestamp=" .. at .. "000")
end
