-- Counts requests in a window that begins with its first request.
-- KEYS[1] is the window. ARGV are the number of requests, the limit, and the length of a window in ms.
-- Returns 1 if the requests are within the limit or else 0, the count, and the ms until the window ends.
local n, limit, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local left = redis.call('PTTL', KEYS[1])
local count = 0
-- More time left than a window lasts means that the clock was set back.
local begun = left >= 0 and left < window
if begun then
	count = tonumber(redis.call('GET', KEYS[1]))
else
	left = window - 1 -- Redis still has a key with 0 ms left
end
local ok = count + n <= limit
if ok then
	count = count + n
	if begun then
		redis.call('INCRBY', KEYS[1], n)
	else
		redis.call('SET', KEYS[1], count, 'PX', left)
	end
end
return {ok and 1 or 0, count, left + 1}
