-- One fix a request, of many phones in turn, each with its own time: thread T of N speaks for phones T, T+N, T+2N…
local threads = 0
function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end
function init(arguments)
  local step = tonumber(arguments[1])
  at, phone, starts = tonumber(arguments[2]), 0, {}
  for index = 3 + number, #arguments, step do
    starts[#starts + 1] = "GET /ingest/osmand?id=" .. arguments[index] .. "&lat=50.1&lon=6.1&accuracy=5&timestamp="
  end
  rest = "000 HTTP/1.1\r\nHost: " .. wrk.host .. "\r\n\r\n"
end
function request()
  phone = phone + 1
  if phone > #starts then phone, at = 1, at + 1 end
  return starts[phone] .. at .. rest
end
