-- Asks for the paths of a file in turn, each connection from another place. For wrk.
-- usage: wrk ... -s load.lua ADDRESS -- FILE

local paths = {}
local at = 0

function init(arguments)
  for path in io.lines(arguments[1]) do
    paths[#paths + 1] = wrk.format("GET", path)
  end
  math.randomseed(os.time())
  at = math.random(#paths)
end

function request()
  at = at % #paths + 1
  return paths[at]
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format("answers: %d, %.0f a second", summary.requests,
    summary.requests / summary.duration * 1e6))
  print(string.format("errors: %d with a status, %d of connections", errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
  print(string.format("milliseconds: median %.2f, 99 %% %.2f, longest %.2f",
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency.max / 1e3))
end
