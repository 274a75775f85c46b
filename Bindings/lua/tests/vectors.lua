-- luajit vectors.lua FILE...: runs the scenarios of Tests/vectors, whose README is the format.

local ffi = require("ffi")
local ct = require("ctreecore")

local STATUS = {[0] = "ok", "no-memory", "invalid", "stale", "range", "duplicate", "limit", "leaf", "cycle", "busy",
  "closed", "cancelled", "superseded", "not-found", "loading", "corrupt"}
local STATES = {[0] = "leaf", "unloaded", "loading", "loaded", "failed", "keep"}
local STATE_OF = {}
for number, word in pairs(STATES) do STATE_OF[word] = number end
local EDITS = {"insert", "remove", "move", "change"}
local UNKNOWN = {}

local function split(line, between)
  local words = {}
  for word in (line .. between):gmatch("(.-)" .. between) do words[#words + 1] = word end
  return words
end

local function scenarios(path)
  local found, number = {}, 0
  for line in io.lines(path) do
    number = number + 1
    local scenario = found[#found]
    if line:sub(1, 9) == "scenario " then
      found[#found + 1] = {name = line:sub(10), steps = {}}
    elseif line:sub(1, 2) == "+ " then
      local given = scenario.steps[#scenario.steps].given
      given[#given + 1] = split(line:sub(3), " ")
    elseif line:sub(1, 2) == "= " then
      local expected = scenario.steps[#scenario.steps].expected
      expected[#expected + 1] = line:sub(3)
    elseif line ~= "" and line:sub(1, 1) ~= "#" then
      scenario.steps[#scenario.steps + 1] = {number = number, words = split(line, " "), given = {}, expected = {}}
    end
  end
  return found
end

local function unquoted(word)
  assert(word:match('^".*"$'), word)
  return (word:sub(2, -2):gsub("\\x(%x%x)", function(digits) return string.char(tonumber(digits, 16)) end))
end

local function quoted(bytes)
  return '"' .. bytes:gsub(".", function(c)
    local b = c:byte()
    if b > 0x20 and b < 0x7f and c ~= '"' and c ~= "\\" and c ~= "/" then return c end
    return ("\\x%02x"):format(b)
  end) .. '"'
end

--- 64-bit numbers, which Lua's own do not hold.
local function number(word)
  local result = 0ULL
  for digit in word:gmatch("%d") do result = result * 10 + tonumber(digit) end
  return result
end

local function shown(value)
  if type(value) == "cdata" then return (tostring(value):gsub("ULL$", ""):gsub("LL$", "")) end
  return tostring(value)
end

local function yes(flag) return flag and "yes" or "no" end
local function place(word) if word ~= "end" then return tonumber(word) end end
local function levels(word) return word == "all" and ct.ALL_LEVELS or tonumber(word) end
local function stopper(words) if words[#words] == "stop" then return function() return false end end end

local function has(words, wanted)
  for at, word in ipairs(words) do if word == wanted then return at end end
end

local function limit(words)
  local at = has(words, "limit")
  return at and tonumber(words[at + 1]) or 0
end

local Runner = {}
Runner.__index = Runner
local verb = {}

local function new_runner()
  return setmetatable({named = {}, values = {}, heard = {}, told = {}}, Runner)
end

function Runner:say(...)
  local parts = {}
  for i = 1, select("#", ...) do parts[i] = shown((select(i, ...))) end
  self.out[#self.out + 1] = table.concat(parts, " ")
end

--- The lines that a step prints.
function Runner:run(step)
  self.out = {}
  local words, act = {unpack(step.words, 2)}, verb[step.words[1]]
  assert(act, "no such verb: " .. step.words[1])
  local ok, failed = pcall(act, self, words, step.given)
  if ok then return self.out end
  if failed == UNKNOWN then return {"unknown"} end
  if type(failed) ~= "table" or failed.status == nil then error(failed, 0) end
  return {self:failure(failed, step.words[1] == "insert")}
end

function Runner:failure(failed, single)
  local word = STATUS[failed.status]
  if failed.twice then
    local t = failed.twice
    return ("%s %s %s %d %d"):format(word, t.in_new and "new" or "old", t.in_sections and "section" or "row", t.first, t.second)
  end
  if failed.fault == nil then return word end
  if single then return word .. " " .. self:name(failed.fault.node) end
  return ("%s item %s other %s node %s"):format(word, failed.fault.item or "-", failed.fault.other or "-",
    self:name(failed.fault.node))
end

function Runner:close()
  for _, held in pairs(self.named) do
    if type(held) == "table" and held.close and (held.view or held.rows) then held:close() end
  end
  if self.tree then self.tree:close() end
end

function Runner:id(word) return self.tree.numbered and number(word) or unquoted(word) end
function Runner:id_word(id) return self.tree.numbered and shown(id) or quoted(id) end

function Runner:node(word)
  if word == "-" then return ct.NONE end
  if word:sub(1, 1) == "$" then return self.named[word] end
  local found = ct.NONE
  if not self.tree.siblings then
    found = self.tree:find(self:id(word))
  else
    for _, part in ipairs(split(word, "/")) do
      found = self.tree:find_child(found, self:id(part))
      if found == ct.NONE then break end
    end
  end
  if found == ct.NONE then error(UNKNOWN, 0) end
  return found
end

function Runner:name(node)
  if node == ct.NONE then return "-" end
  if not self.tree:contains(node) then return "gone" end
  local word = self:id_word(self.tree:id(node))
  while self.tree.siblings do
    node = self.tree:parent(node)
    if node == ct.NONE then break end
    word = self:id_word(self.tree:id(node)) .. "/" .. word
  end
  return word
end

function Runner:list(nodes)
  local words = {}
  for i, node in ipairs(nodes) do words[i] = self:name(node) end
  self:say(#nodes, unpack(words))
end

function Runner:rows(nodes, depths)
  for i, node in ipairs(nodes) do self:say(depths[i], self:name(node)) end
end

function Runner:window(rows)
  for _, row in ipairs(rows) do
    self:say(row.depth, self:name(row.node), row.position, row.sibling_count, STATES[row.state],
      row.expandable and "expandable" or "-", row.expanded and "expanded" or "-", row.more and "more" or "-")
  end
end

function Runner:forest(given)
  local items = {ids = {}, parents = {}, values = {}, revisions = {}, states = {}}
  local above, all_auto = {}, true
  for _, line in ipairs(given) do above[line[1]] = true end
  for i, line in ipairs(given) do
    local state = line[5] or "auto"
    items.ids[i] = self:id(line[2])
    items.parents[i] = line[1] ~= "-" and tonumber(line[1])
    items.values[i] = number(line[3] or "0")
    items.revisions[i] = number(line[4] or "0")
    if state ~= "auto" then all_auto = false end
    items.states[i] = state ~= "auto" and STATE_OF[state] or above[tostring(i - 1)] and STATE_OF.loaded or STATE_OF.leaf
  end
  if all_auto then items.states = nil end
  return items
end

-- The store

function verb:store(words)
  self.tree = ct.Tree.new{ids = words[1], siblings = words[2] == "siblings", limit = limit(words), released = function(_, values)
    for _, value in ipairs(values) do self.values[#self.values + 1] = value end
  end}
end

function verb:close() self.tree:close() end

function verb:kinds()
  local kind, scope = self.tree:kinds()
  self:say(kind == 0 and "u64" or "bytes", scope == 0 and "store" or "siblings")
end

function verb:count() self:say(self.tree:count()) end
function verb:memory() assert(self.tree:memory() > 0) end
function verb:validate() self.tree:validate() end
function verb:find(words) self:say(self:name(self.tree:find(self:id(words[1])))) end
verb["find-child"] = function(self, words) self:say(self:name(self.tree:find_child(self:node(words[1]), self:id(words[2])))) end

verb["find-many"] = function(self, words)
  local parent, ids = self:node(words[1]), {}
  for i = 2, #words do ids[i - 1] = self:id(words[i]) end
  self:list(self.tree:find_many(ids, self.tree.siblings and parent or nil))
end

verb["find-many-u64"] = verb["find-many"]
function verb:name(words) self.named[words[1]] = self:node(words[2]) end
function verb:contains(words) self:say(yes(self.tree:contains(self:node(words[1])))) end

function verb:node(words)
  local i = self.tree:info(self:node(words[1]))
  self:say("parent", self:name(i.parent), "value", i.value, "revision", i.revision, "state", STATES[i.state], "children",
    i.child_count, "more", yes(i.more))
end

function verb:parent(words) self:say(self:name(self.tree:parent(self:node(words[1])))) end
function verb:id(words) self:say(self:id_word(self.tree:id(self:node(words[1])))) end
function verb:value(words) self:say(self.tree:value(self:node(words[1]))) end
function verb:revision(words) self:say(self.tree:revision(self:node(words[1]))) end
function verb:state(words) self:say(STATES[self.tree:state(self:node(words[1]))]) end
verb["child-count"] = function(self, words) self:say(self.tree:child_count(self:node(words[1]))) end
verb["child-at"] = function(self, words) self:say(self:name(self.tree:child_at(self:node(words[1]), tonumber(words[2])))) end

function verb:children(words)
  self:list(self.tree:children(self:node(words[1]), tonumber(words[2]), tonumber(words[3])))
end

function verb:ordinal(words) self:say(self.tree:ordinal(self:node(words[1]))) end
function verb:depth(words) self:say(self.tree:depth(self:node(words[1]))) end
function verb:below(words) self:say(yes(self.tree:is_below(self:node(words[1]), self:node(words[2])))) end

function verb:path(words)
  local path = self.tree:path(self:node(words[1]))
  self:say(#path, unpack(path))
end

verb["at-path"] = function(self, words)
  local path = {}
  for i, word in ipairs(words) do path[i] = tonumber(word) end
  self:say(self:name(self.tree:node_at_path(path)))
end

function verb:next(words) self:say(self:name(self.tree:next(self:node(words[1]), self:node(words[2]), words[3] == "yes"))) end

function verb:walk(words)
  local nodes = {}
  for node in self.tree:walk(self:node(words[1])) do nodes[#nodes + 1] = node end
  self:list(nodes)
end

verb["subtree-count"] = function(self, words) self:say(self.tree:subtree_count(self:node(words[1]))) end

function verb:version()
  local major, minor, patch = ffi.string(ct.C.ctree_version_string()):match("^(%d+)%.(%d+)%.(%d+)$")
  assert(ct.C.ctree_version() == major * 1000000 + minor * 1000 + patch)
  assert(ct.C.ctree_abi_version() == 0)
end

verb["status-name"] = function(self, words) self:say(ffi.string(ct.C.ctree_status_name(tonumber(words[1])))) end

-- Edits

function verb:insert(words)
  self.tree:insert(self:node(words[1]), self:id(words[3]), {at = place(words[2]), value = number(words[4] or "0"),
    revision = number(words[5] or "0"), state = STATE_OF[words[6] or "leaf"]})
end

function verb:remove(words) self.tree:remove(self:node(words[1])) end

verb["remove-children"] = function(self, words)
  self.tree:remove_children(self:node(words[1]), tonumber(words[2]), tonumber(words[3]))
end

function verb:move(words) self.tree:move(self:node(words[1]), self:node(words[2]), place(words[3])) end
function verb:set(words) self.tree:set(self:node(words[1]), number(words[2]), number(words[3])) end
verb["set-leaf"] = function(self, words) self.tree:set_leaf(self:node(words[1]), words[2] == "yes") end

function verb:build(words, given)
  self.tree:build(self:forest(given), {parent = self:node(words[1]), at = place(words[2]), progress = stopper(words)})
end

function verb:graft(words, given)
  local other = ct.Tree.new{ids = self.tree.numbered and "u64" or "bytes", siblings = self.tree.siblings}
  other:build(self:forest(given))
  local ok, failed = pcall(function()
    self.tree:graft(other, {parent = self:node(words[1]), at = place(words[2]), progress = stopper(words)})
  end)
  local left = other:count()
  other:close()
  assert(left == (ok and 0 or #given))
  if not ok then error(failed, 0) end
end

function verb:reconcile(words, given)
  self.tree:reconcile(self:forest(given), {parent = self:node(words[1]), moves = words[2] == "moves", progress = stopper(words)})
end

function verb:begin() self.tree:begin() end
verb["end"] = function(self) self.tree:finish() end

function verb:listen()
  local function hear(when, edit)
    local words = {when, EDITS[tonumber(edit.kind)]}
    if edit.kind == ct.EditKind.CHANGE then
      words[3] = self:name(edit.node)
      for _, bit_word in ipairs({{1, "value"}, {2, "revision"}, {4, "load-state"}}) do
        if bit.band(edit.changed, bit_word[1]) ~= 0 then words[#words + 1] = bit_word[2] end
      end
    else
      words[3], words[4], words[5] = self:name(edit.parent), shown(edit.first), shown(edit.count)
    end
    if edit.kind == ct.EditKind.MOVE then
      words[6], words[7] = self:name(edit.to_parent), shown(edit.to_first)
    end
    self.heard[#self.heard + 1] = table.concat(words, " ")
  end
  self.unlisten = self.tree:listen{
    before = function(edit) hear("before", edit) end,
    after = function(edit)
      hear("after", edit)
      if ct.C.ctree_store_begin(self.tree:handle()) ~= ct.Status.BUSY then self.heard[#self.heard + 1] = "not busy" end
    end,
    settled = function() self.heard[#self.heard + 1] = "settled" end,
  }
end

function verb:unlisten() self.unlisten() end
function verb:heard() self.out, self.heard = self.heard, {} end

function verb:released()
  table.sort(self.values)
  self:say(#self.values, unpack(self.values))
  self.values = {}
end

-- Loading

function verb:request(words) self.tree:request(self:node(words[1])) end
verb["next-request"] = function(self) self:say(self:name(self.tree:next_request())) end

function verb:requests()
  local nodes = {}
  for node in self.tree:requests() do nodes[#nodes + 1] = node end
  self:list(nodes)
end

function verb:load(words)
  local ok, load = pcall(self.tree.load, self.tree, self:node(words[1]), has(words, "reload") ~= nil)
  if ok then
    self.named[words[2]] = load.ticket
    return
  end
  if type(load) == "table" and load.load then self.named[words[2]] = load.load.ticket end
  error(load, 0)
end

function Runner:load_of(words) return self.tree:load_of(self:node(words[1]), self.named[words[2]]) end
function verb:check(words) self:say(STATUS[self:load_of(words):status()]) end
function verb:finish(words, given) self:load_of(words):finish(self:forest(given), words[3] == "fails") end
function verb:append(words, given) self:load_of(words):append(self:forest(given), words[3] == "more") end
function verb:fail(words) self:load_of(words):fail(number(words[3])) end
function verb:cancel(words) self:load_of(words):cancel() end
function verb:error(words) self:say(self.tree:load_error(self:node(words[1]))) end
function verb:drop(words) self.tree:drop(self:node(words[1])) end

-- Views

function verb:view(words)
  self.named[words[1]] = self.tree:view{open_levels = levels(words[2]), sections = has(words, "sections") ~= nil,
    forgets = has(words, "forgets") ~= nil, empty_can_open = has(words, "empty-can-open") ~= nil, records = has(words, "records") ~= nil}
end

verb["close-view"] = function(self, words) self.named[words[1]]:close() end
verb["view-store"] = function(self, words) self:say(yes(self.named[words[1]]:is_of(self.tree))) end

for _, name in ipairs({"expand", "collapse", "toggle", "reveal"}) do
  verb[name] = function(self, words)
    local view = self.named[words[1]]
    view[name](view, self:node(words[2]))
  end
end

verb["expand-all"] = function(self, words)
  self.named[words[1]]:expand_all(self:node(words[2]), levels(words[3]), stopper(words))
end

verb["collapse-all"] = function(self, words) self.named[words[1]]:collapse_all(self:node(words[2])) end

for _, name in ipairs({"expanded", "visible", "expandable", "selected"}) do
  verb[name] = function(self, words)
    local view = self.named[words[1]]
    self:say(yes(view["is_" .. name](view, self:node(words[2]))))
  end
end

function verb:rows(words)
  local view = self.named[words[1]]
  self:rows(view:nodes_from(0, view:row_count()))
end

verb["nodes-from"] = function(self, words) self:rows(self.named[words[1]]:nodes_from(tonumber(words[2]), tonumber(words[3]))) end
function verb:window(words) self:window(self.named[words[1]]:window(tonumber(words[2]), tonumber(words[3]))) end
verb["row-count"] = function(self, words) self:say(self.named[words[1]]:row_count()) end
verb["node-at"] = function(self, words) self:say(self:name(self.named[words[1]]:node_at(tonumber(words[2])))) end
verb["row-of"] = function(self, words) self:say(self.named[words[1]]:row_of(self:node(words[2])) or "-") end

verb["nodes-at"] = function(self, words)
  local rows = {}
  for i = 2, #words do rows[i - 1] = tonumber(words[i]) end
  self:list(self.named[words[1]]:nodes_at(rows))
end

verb["rows-of"] = function(self, words)
  local nodes, shown_rows = {}, {}
  for i = 2, #words do nodes[i - 1] = self:node(words[i]) end
  for i, row in ipairs(self.named[words[1]]:rows_of(nodes)) do shown_rows[i] = row or "-" end
  self:say(#nodes, unpack(shown_rows))
end

function verb:ancestors(words) self:list(self.named[words[1]]:ancestors(self:node(words[2]))) end
verb["section-count"] = function(self, words) self:say(self.named[words[1]]:section_count()) end

function verb:section(words)
  local view, section = self.named[words[1]], tonumber(words[2])
  self:say(self:name(view:section_node(section)), view:section_rows(section))
end

verb["index-path"] = function(self, words) self:say(self.named[words[1]]:index_path(tonumber(words[2]))) end
verb["row-at"] = function(self, words) self:say(self.named[words[1]]:row_at(tonumber(words[2]), tonumber(words[3])) or "-") end
verb["view-memory"] = function(self, words) assert(self.named[words[1]]:memory() > 0) end
function verb:trim(words) self.named[words[1]]:trim() end
function verb:compact(words) self.named[words[1]]:compact() end
verb["validate-view"] = function(self, words) self.named[words[1]]:validate() end
function verb:select(words) self.named[words[1]]:select(self:node(words[2]), words[3] == "yes") end

verb["select-rows"] = function(self, words)
  self.named[words[1]]:select_rows(tonumber(words[2]), tonumber(words[3]), words[4] == "yes")
end

verb["deselect-all"] = function(self, words) self.named[words[1]]:deselect_all() end
verb["selected-count"] = function(self, words) self:say(self.named[words[1]]:selected_count()) end

function verb:selection(words)
  local view, seen, hidden = self.named[words[1]], {}, {}
  local nodes = view:selected()
  for _, node in ipairs(nodes) do
    local into = view:row_of(node) and seen or hidden
    into[#into + 1] = self:name(node)
  end
  table.sort(hidden)
  for _, word in ipairs(hidden) do seen[#seen + 1] = word end
  self:say(#nodes, unpack(seen))
end

function verb:watch(words)
  local told = self.told[words[1]] or {}
  self.told[words[1]] = told
  self.named[words[1]]:watch(function(...) told[#told + 1] = table.concat({...}, " ") end)
end

function verb:unwatch(words) self.named[words[1]]:watch(nil) end

function verb:splices(words)
  local told = self.told[words[1]] or {}
  self.out = {unpack(told)}
  for i = #told, 1, -1 do told[i] = nil end
end

-- Saved states

function Runner:path(word)
  local path = {}
  for i, part in ipairs(split(word, "/")) do path[i] = self:id(part) end
  return path
end

local function bits(words, from)
  local what = 0
  for i = from, #words do what = what + assert(ct.Saved[words[i]:upper()]) end
  return what
end

function verb:save(words)
  for _, entry in ipairs(self.named[words[1]]:save(bits(words, 2))) do
    local path, parts = {}, {}
    for i, id in ipairs(entry.path) do path[i] = self:id_word(id) end
    parts[1] = table.concat(path, "/")
    for _, word in ipairs({"expanded", "collapsed", "selected"}) do
      if bit.band(entry.what, ct.Saved[word:upper()]) ~= 0 then parts[#parts + 1] = word end
    end
    self.out[#self.out + 1] = table.concat(parts, " ")
  end
  table.sort(self.out)
end

function verb:restore(words, given)
  local entries = {}
  for i, line in ipairs(given) do entries[i] = {path = self:path(line[1]), what = bits(line, 2)} end
  self.named[words[1]]:restore(entries)
end

function verb:waiting(words) self:say(self.named[words[1]]:waiting_count()) end
verb["forget-waiting"] = function(self, words) self.named[words[1]]:forget_waiting() end

verb["reveal-path"] = function(self, words)
  local visible, node = self.named[words[1]]:reveal_path(self:path(words[2]))
  self:say(visible and "ok" or "loading", self:name(node))
end

-- Changes

function Runner:batch(b)
  if b.reload then return self:say("reload") end
  if b.old_section_count then
    self:say("sections", b.old_section_count, b.new_section_count, "rows", b.old_count, b.new_count)
    for _, kind in ipairs({"delete", "insert", "move", "change"}) do
      for _, part in ipairs(b["section_" .. kind .. "s"]) do self:say("section-" .. kind, unpack(part)) end
    end
  else
    self:say("rows", b.old_count, b.new_count)
  end
  for _, kind in ipairs({"delete", "insert", "move", "change"}) do
    for _, part in ipairs(b[kind .. "s"]) do self:say(kind, unpack(part)) end
  end
end

function verb:commit(words) self:batch(self.named[words[1]]:commit(limit(words))) end
verb["commit-sections"] = function(self, words) self:batch(self.named[words[1]]:commit_sections(limit(words))) end
function verb:accept(words) self.named[words[1]]:accept() end

-- Plain rows

function verb:flatten(words) self.named[words[2]] = self.named[words[1]]:flatten(has(words, "lookup") ~= nil, stopper(words)) end
verb["rows-list"] = function(self, words) self:rows(self.named[words[1]]:nodes(), self.named[words[1]]:depths()) end
verb["rows-section-count"] = function(self, words) self:say(self.named[words[1]]:section_count()) end

verb["rows-section"] = function(self, words)
  local rows, section = self.named[words[1]], tonumber(words[2])
  self:say(self:name(rows:section_node(section)), rows:section_start(section))
end

verb["rows-index-path"] = verb["index-path"]
verb["rows-at"] = verb["row-at"]
verb["rows-node"] = verb["node-at"]
verb["rows-row"] = verb["row-of"]

verb["rows-window"] = function(self, words)
  self:window(self.named[words[1]]:window(self.named[words[2]], tonumber(words[3]), tonumber(words[4])))
end

verb["rows-free"] = function(self, words) self.named[words[1]]:close() end

-- Diff

function verb:diff(words, given)
  local key_of = {u64 = number, ids = unquoted, nodes = function(word) return self:node(word) end}
  local function empty() return {rows = {}, revisions = {}, sections = {}, section_rows = {}, section_revisions = {}} end
  local lists = {old = empty(), new = empty()}
  for _, line in ipairs(given) do
    local list, is_section = lists[line[1]:sub(1, 3)], line[1]:match("%-section$") ~= nil
    local keys = is_section and list.sections or list.rows
    local revisions = is_section and list.section_revisions or list.revisions
    keys[#keys + 1] = key_of[words[1]](line[2])
    if line[3] then revisions[#revisions + 1] = number(line[3]) end
    if is_section then
      list.section_rows[#list.section_rows + 1] = 0
    elseif #list.sections > 0 then
      list.section_rows[#list.section_rows] = list.section_rows[#list.section_rows] + 1
    end
  end
  local old = lists.old
  if has(words, "from-nothing") then old = nil end
  local told = ct.diff(old, lists.new, {keys = words[1], form = words[2], limit = limit(words), progress = stopper(words)})
  if told.deletes then return self:batch(told) end
  if told.reload then
    self:say("reload")
  else
    self:say("rows", told.old_count, told.new_count)
  end
  for _, splice in ipairs(told.splices or {}) do self:say("splice", unpack(splice)) end
  for _, step in ipairs(told.steps or {}) do
    local kind, from, to, count = unpack(step)
    if kind == 0 then self:say("step-delete", from, count) end
    if kind == 1 then self:say("step-move", from, to, count) end
    if kind == 2 then self:say("step-insert", to, count) end
  end
end

local ran, failed = 0, 0
for _, path in ipairs(arg) do
  for _, scenario in ipairs(scenarios(path)) do
    local runner = new_runner()
    ran = ran + 1
    for _, step in ipairs(scenario.steps) do
      local ok, printed = pcall(runner.run, runner, step)
      if not ok then printed = {tostring(printed)} end
      if table.concat(printed, "\n") ~= table.concat(step.expected, "\n") or #printed ~= #step.expected then
        io.stderr:write(("%s:%d: %s: %s\n  expected %s\n  printed  %s\n"):format(path, step.number, scenario.name,
          step.words[1], table.concat(step.expected, " | "), table.concat(printed, " | ")))
        failed = failed + 1
        break
      end
    end
    runner:close()
    collectgarbage()
  end
end
print(("%d scenarios, %d failed"):format(ran, failed))
os.exit(ran > 0 and failed == 0 and 0 or 1)
