-- Rotates refresh tokens: as many chains as BENCH_LINES has first tokens. A request takes the token that has waited
-- longest, its answer puts the successor at the end: a chain is never used twice at once, and each answer is checked.

dofile(os.getenv("BENCH_LUA") .. "/report.lua")

local tokens, first, last = {}, 1, 0
local headers = { ["Content-Type"] = os.getenv("BENCH_TYPE") or "application/json" }
-- Of other servers, too: the body, with %s for the token.
local form = os.getenv("BENCH_FORM") or '{"refresh_token":"%s"}'

function init(args)
    for line in io.lines(os.getenv("BENCH_LINES")) do
        last = last + 1
        tokens[last] = line
    end
end

function request()
    local token = tokens[first]
    if not token then
        -- Every chain is broken: the count of errors says so.
        wrk.thread:stop()
        return wrk.format("GET", "/health/live")
    end
    tokens[first] = nil
    first = first + 1
    return wrk.format("POST", nil, headers, form:format(token))
end

function response(status, _, body)
    if status ~= 200 then return end
    local token = string.match(body, '"refresh_token": *"([^"]+)"')
    if token then
        last = last + 1
        tokens[last] = token
    end
end
