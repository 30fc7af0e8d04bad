-- Counts requests in a window that begins with the first of them.
-- KEYS[1] the subject's window; ARGV the requests to count, the limit, the length of a window in ms.
-- Returns whether they are within the limit, how many are counted, and how many ms are left.
local n, limit, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local left = redis.call('PTTL', KEYS[1])
local count = 0
-- A window that has more left than it can have is of a clock that was set back.
local begun = left >= 0 and left < window
if begun then
	count = tonumber(redis.call('GET', KEYS[1]))
else
	left = window - 1 -- Redis ends what has 0 ms left with the next one
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
