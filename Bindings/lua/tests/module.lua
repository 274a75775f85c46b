-- What is Lua's own: errors out of callbacks, ends, the collector.

local ct = require("ctreecore")
local checks = 0

local function raises(body, wanted)
  local ok, failed = pcall(body)
  assert(not ok, "nothing was raised")
  if type(wanted) == "number" then
    assert(type(failed) == "table" and failed.status == wanted, tostring(failed))
  else
    assert(tostring(failed):find(wanted, 1, true), tostring(failed))
  end
  checks = checks + 1
end

local tree = ct.Tree.new{ids = "bytes"}
local stop = tree:listen{after = function() error("of the listener") end}
raises(function() tree:insert(ct.NONE, "a") end, "of the listener")
stop()
assert(tree:count() == 1)
tree:insert(ct.NONE, "b")
raises(function() tree:insert(ct.NONE, "b") end, ct.Status.DUPLICATE)
raises(function() tree:insert(ct.NONE, 7) end, "is a string")
raises(function() tree:build({ids = {"x", "x"}}) end, ct.Status.DUPLICATE)
raises(function() tree:build({ids = {"x"}, parents = {}}) end, "another length")
raises(function() tree:build({ids = {"x"}}, {progress = function() error("of the progress") end}) end, "of the progress")
raises(function() tree:remove(99ULL) end, ct.Status.STALE)
raises(function() tree:view{colour = true} end, "no option")
assert(tree:count() == 2)
tree:validate()
local view = tree:view()
tree:close()
tree:close()
raises(function() tree:count() end, ct.Status.CLOSED)
raises(function() view:expand(ct.NONE) end, ct.Status.CLOSED)
view:close()
raises(function() view:row_count() end, ct.Status.CLOSED)

-- What nobody holds any more is given back: more of them than would fit otherwise.
for round = 1, 300 do
  local many = ct.Tree.new()
  local ids = {}
  for i = 1, 1000 do ids[i] = i end
  many:build{ids = ids}
  many:view():expand_all()
  if round % 20 == 0 then collectgarbage() end
end
collectgarbage()

-- Reads in a loop that is compiled, edits between them.
local big = ct.Tree.new()
local ids = {}
for i = 1, 20000 do ids[i] = i end
big:build{ids = ids}
local heard = 0
big:listen{after = function() heard = heard + 1 end}
for i = 1, 20000 do
  assert(big:find(i) ~= ct.NONE)
  if i % 10 == 0 then big:remove(big:find(i)) end
end
assert(heard == 2000 and big:count() == 18000)
print(checks .. " errors as they should be, and " .. heard .. " callbacks between compiled reads")
