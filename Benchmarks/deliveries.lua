-- Whole deliveries: post, accept, pickup, delivery, as many under way as there are connections. The title of a parcel
-- says who its owner and its carrier are, so that an answer says what comes next, and by whom.
local threads = {}
function setup(thread)
  thread:set("number", #threads)
  threads[#threads + 1] = thread
end
function init(arguments)
  people, isHot = {}, arguments[2] == "hot"
  for token in io.lines(arguments[1]) do people[#people + 1] = "Bearer " .. token end
  math.randomseed(4711 + number)
  steps, first, last = {}, 1, 0
  finished, refused, refusal = 0, 0, 0
end
local follows = { available = "acceptance", accepted = "pickup", travelling = "delivery" }
local function ask(person, path, body)
  local headers = { ["Accept"] = "application/json", ["Authorization"] = people[person] }
  if body then headers["Content-Type"] = "application/json" end
  return wrk.format("POST", path, headers, body)
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
  local state = body:match('"state":"(%a+)"')
  if state == "delivered" then
    finished = finished + 1
    return
  end
  local owner, carrier = body:match('"title":"Parcel (%d+) (%d+)"')
  local person = state == "available" and carrier or owner
  last = last + 1
  -- Only the parcel's own id follows a comma; those of people open an object.
  local id = body:match(',"id":"([%x-]+)"')
  steps[last] = { person = tonumber(person), path = "/carrepsa/packages/" .. id .. "/" .. follows[state] }
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
