-- Whole deliveries: post, accept, pickup, delivery, as many under way as there are connections. The title of a parcel
-- says who its owner and its carrier are, so that an answer says what comes next, and by whom.
local threads = {}
function setup(thread)
  thread:set("number", #threads)
  threads[#threads + 1] = thread
end
function init(arguments)
  people, isHot = {}, arguments[2] == "hot"
  for token in io.lines(arguments[1]) do
    people[#people + 1] = " HTTP/1.1\r\nHost: " .. wrk.host .. "\r\nAccept: application/json\r\nAuthorization: Bearer "
      .. token .. "\r\n"
  end
  -- The third argument differs between generators that run at once.
  math.randomseed(4711 + number + 2 * tonumber(arguments[3]))
  steps, first, last = {}, 1, 0
  finished, refused, refusal = 0, 0, 0
end
local follows = { available = "acceptance", accepted = "pickup", travelling = "delivery" }
-- Put together by hand: the generator shares the processor with the server, and wrk.format costs more.
local function ask(person, path, body)
  local head = "POST " .. path .. people[person]
  if not body then return head .. "\r\n" end
  return head .. "Content-Type: application/json\r\nContent-Length: " .. #body .. "\r\n\r\n" .. body
end
function request()
  if first <= last then
    local step = steps[first]
    steps[first] = nil
    first = first + 1
    return ask(step.person, step.path)
  end
  local owner = isHot and 1 or math.random(#people)
  local carrier = math.random(#people - 1)
  if carrier >= owner then carrier = carrier + 1 end
  return ask(owner, "/carrepsa/packages", '{"title":"Parcel ' .. owner .. " " .. carrier ..
    '","from":"Aachen","to":"Bonn","weight":1200,"reward":100,"moneyLock":400}')
end
function response(status, headers, body)
  if status ~= 201 then
    refused, refusal = refused + 1, status
    return
  end
  -- An answer begins with these two; a search from its start for each would cost more.
  local id, owner, carrier = body:match('^{"id":"([%x-]+)","title":"Parcel (%d+) (%d+)"')
  local _, before = body:find('"state":"', 1, true)
  local state = body:match("^%a+", before + 1)
  if state == "delivered" then
    finished = finished + 1
    return
  end
  last = last + 1
  steps[last] = {
    person = tonumber(state == "available" and carrier or owner),
    path = "/carrepsa/packages/" .. id .. "/" .. follows[state],
  }
end
function done(summary, latency, requests)
  local finished, refused, refusal = 0, 0, 0
  for _, thread in ipairs(threads) do
    finished = finished + thread:get("finished")
    refused = refused + thread:get("refused")
    refusal = math.max(refusal, thread:get("refusal"))
  end
  io.write(string.format("Deliveries: %d in %d us, refused: %d (%d)\n", finished, summary.duration, refused, refusal))
end
