-- CTreeCore for LuaJIT: trees, views and the diff over the C library, by LuaJIT's FFI.
--
-- A node is a uint64_t; ct.NONE names none, and as a parent the top level. A call that fails raises a table with its
-- `status` (see ct.Status), and has changed nothing. What a callback raises comes out of the call that led to it.
--
-- The declarations are made from the headers by Bindings/lua/build, beside the library.

local ffi = require("ffi")

local ct = {}

local function folder_of(path) return path:match("^(.*)/[^/]*$") or "." end

--- Loads the library and its declarations from a folder that Bindings/lua/build has written.
local function open(folder)
  local file = assert(io.open(folder .. "/ctreecore.cdef", "r"))
  ffi.cdef(file:read("*a"))
  file:close()
  return ffi.load(folder .. "/libctreecore.so")
end

local C = open(os.getenv("CTREECORE_FOLDER") or folder_of(debug.getinfo(1, "S").source:sub(2)))
ct.C = C
ct.NONE = 0ULL
ct.END = 0xffffffff
ct.ALL_LEVELS = 0xffffffff
local NO_ROW = 0xffffffff
local NO_ITEM = 0xffffffffffffffffULL

ct.Status = {OK = 0, NO_MEMORY = 1, INVALID = 2, STALE = 3, RANGE = 4, DUPLICATE = 5, LIMIT = 6, LEAF = 7, CYCLE = 8,
  BUSY = 9, CLOSED = 10, CANCELLED = 11, SUPERSEDED = 12, NOT_FOUND = 13, LOADING = 14, CORRUPT = 15}
ct.State = {LEAF = 0, UNLOADED = 1, LOADING = 2, LOADED = 3, FAILED = 4, KEEP = 5}
ct.EditKind = {INSERT = 1, REMOVE = 2, MOVE = 3, CHANGE = 4}
ct.Changed = {VALUE = 1, REVISION = 2, LOAD_STATE = 4}
ct.Saved = {EXPANDED = 1, COLLAPSED = 2, SELECTED = 4, ALL = 7}

-- ---- Errors and callbacks ------------------------------------------------------------------------------------------

local Error = {__tostring = function(e) return e.message end}

local function fail(status, more)
  local e = more or {}
  e.status = tonumber(status)
  e.message = ffi.string(C.ctree_status_name(status))
  error(setmetatable(e, Error), 0)
end

-- What a callback raised, until the call that led to it is over: nothing may be raised through C.
local raised = nil

local function guarded(body, otherwise)
  return function(...)
    local ok, result = pcall(body, ...)
    if ok then return result end
    raised = raised or {result}
    return otherwise
  end
end

local function check(status, more)
  if raised ~= nil then
    local what = raised[1]
    raised = nil
    error(what, 0)
  end
  if status ~= 0 then fail(tonumber(status), more) end
end

--- Calls with a ctree_progress, or NULL.
local function with_progress(progress, body)
  if progress == nil then return body(nil) end
  local c = ffi.new("ctree_progress")
  local call = ffi.cast("bool (*)(void *, uint64_t, uint64_t)", guarded(function(_, done, total)
    return progress(tonumber(done), tonumber(total)) and true or false
  end, false))
  c.keep_going = call
  local ok, result = pcall(body, c)
  call:free()
  if not ok then error(result, 0) end
  return result
end

--- Calls with a ctree_fault, which goes into the error.
local function with_fault(body)
  local fault = ffi.new("ctree_fault", {ffi.sizeof("ctree_fault"), NO_ITEM, NO_ITEM, 0})
  local status = body(fault)
  if status == 0 or raised ~= nil then return check(status) end
  local function item(at) if at ~= NO_ITEM then return tonumber(at) end end
  check(status, {fault = {item = item(fault.item), other = item(fault.other_item), node = fault.node}})
end

local function reasoned(body)
  local reason = ffi.new("const char *[1]")
  local status = body(reason)
  if status == ct.Status.CORRUPT then error(ffi.string(reason[0]), 0) end
  check(status)
end

local function list(array, count)
  local found = {}
  for i = 1, tonumber(count) do found[i] = array[i - 1] end
  return found
end

local function row_or_nil(row) if row ~= NO_ROW then return tonumber(row) end end

local function index_path(path) return tonumber(path.section), tonumber(path.row) end

-- ---- Forests -------------------------------------------------------------------------------------------------------

--- Items for a bulk call: { ids = {...}, parents = {...}, values = {...}, revisions = {...}, states = {...} }; parents
--- count from 0, false for none. All but ids may be missing.
local function write_forest(tree, items)
  local count = #items.ids
  local forest = ffi.new("ctree_forest")
  local held = {forest}
  forest.size = ffi.sizeof("ctree_forest")
  forest.count = count
  if tree.numbered then
    local numbers = ffi.new("uint64_t[?]", count + 1)
    for i = 1, count do numbers[i - 1] = items.ids[i] end
    forest.numbers = numbers
    held[#held + 1] = numbers
  else
    local ids = ffi.new("ctree_id[?]", count + 1)
    for i = 1, count do
      ids[i - 1].bytes = items.ids[i]
      ids[i - 1].word = #items.ids[i]
    end
    forest.ids = ids
    held[#held + 1] = ids
  end
  local function column(name, kind, default)
    local given = items[name]
    if given == nil then return end
    if #given ~= count then error(name .. " has another length than ids", 0) end
    local words = ffi.new(kind, count + 1)
    for i = 1, count do words[i - 1] = given[i] or default end
    forest[name] = words
    held[#held + 1] = words
  end
  column("parents", "uint32_t[?]", ct.END)
  column("values", "uint64_t[?]", 0)
  column("revisions", "uint64_t[?]", 0)
  column("states", "uint8_t[?]", 0)
  return forest, held
end

-- ---- Trees ---------------------------------------------------------------------------------------------------------

local Tree = {}
Tree.__index = Tree
ct.Tree = Tree

--- A tree. Options: ids ("u64" or "bytes", whose identifiers are strings), siblings, limit, released (told lists of nodes
--- and of values that a call replaced or removed).
function Tree.new(options)
  options = options or {}
  local self = setmetatable({numbered = options.ids ~= "bytes", siblings = options.siblings or false}, Tree)
  local c = ffi.new("ctree_store_options")
  c.size = ffi.sizeof("ctree_store_options")
  c.id_kind = self.numbered and 0 or 1
  c.id_scope = self.siblings and 1 or 0
  c.node_limit = options.limit or 0
  if options.released ~= nil then
    self.release = ffi.cast("ctree_release_fn", guarded(function(_, nodes, values, count)
      options.released(list(nodes, count), list(values, count))
    end))
    c.release = self.release
  end
  local out = ffi.new("ctree_store *[1]")
  check(C.ctree_store_create(c, out))
  self.store = out[0]
  -- A tree that nobody holds any more is ended by the collector, through this.
  self.guard = newproxy(true)
  local store = self.store
  getmetatable(self.guard).__gc = function() if self.store ~= nil then C.ctree_store_destroy(store) end end
  return self
end

--- Ends the tree; its views are closed.
function Tree:close()
  if self.store == nil then return end
  local store = self.store
  self.store = nil
  C.ctree_store_destroy(store)
  if self.release ~= nil then self.release:free() end
  check(0)
end

function Tree:handle()
  if self.store == nil then fail(ct.Status.CLOSED) end
  return self.store
end

--- An identifier for a call; the string must be held until it is over.
function Tree:write_id(id)
  if self.numbered then return ffi.new("ctree_id", {word = id}) end
  if type(id) ~= "string" then error("an identifier of this tree is a string", 0) end
  return ffi.new("ctree_id", {id, #id})
end

function Tree:read_id(id)
  if self.numbered then return id.word end
  return ffi.string(id.bytes, id.word)
end

function Tree:write_ids(ids)
  local written = ffi.new("ctree_id[?]", #ids + 1)
  for i, id in ipairs(ids) do written[i - 1] = self:write_id(id) end
  return written
end

function Tree:count() return tonumber(C.ctree_store_count(self:handle())) end

function Tree:kinds() return tonumber(C.ctree_store_id_kind(self:handle())), tonumber(C.ctree_store_id_scope(self:handle())) end

function Tree:memory()
  local memory = ffi.new("ctree_memory")
  memory.size = ffi.sizeof("ctree_memory")
  check(C.ctree_store_memory(self:handle(), memory))
  return tonumber(memory.total)
end

function Tree:validate() reasoned(function(reason) return C.ctree_validate(self:handle(), reason) end) end
function Tree:find(id) return C.ctree_store_find(self:handle(), self:write_id(id)) end
function Tree:find_child(parent, id) return C.ctree_store_find_child(self:handle(), parent, self:write_id(id)) end

--- Many at once; in a tree of siblings all below one parent.
function Tree:find_many(ids, parent)
  local out = ffi.new("uint64_t[?]", #ids + 1)
  local parents = nil
  if parent ~= nil then
    parents = ffi.new("uint64_t[?]", #ids + 1)
    for i = 1, #ids do parents[i - 1] = parent end
  end
  if self.numbered then
    local numbers = ffi.new("uint64_t[?]", #ids + 1)
    for i, id in ipairs(ids) do numbers[i - 1] = id end
    check(C.ctree_store_find_many_u64(self:handle(), parents, numbers, #ids, out))
  else
    check(C.ctree_store_find_many(self:handle(), parents, self:write_ids(ids), #ids, out))
  end
  return list(out, #ids)
end

function Tree:contains(node) return C.ctree_store_contains(self:handle(), node) end

function Tree:info(node)
  local info = ffi.new("ctree_node_info")
  info.size = ffi.sizeof("ctree_node_info")
  check(C.ctree_store_info(self:handle(), node, info))
  return {parent = info.parent, value = info.value, revision = info.revision, id = self:read_id(info.id),
    child_count = tonumber(info.child_count), state = tonumber(info.load_state), more = info.more}
end

function Tree:parent(node)
  local out = ffi.new("uint64_t[1]")
  check(C.ctree_store_parent(self:handle(), node, out))
  return out[0]
end

function Tree:id(node)
  local out = ffi.new("ctree_id[1]")
  check(C.ctree_store_id(self:handle(), node, out))
  return self:read_id(out[0])
end

function Tree:value(node) return C.ctree_store_value(self:handle(), node) end
function Tree:revision(node) return C.ctree_store_revision(self:handle(), node) end
function Tree:state(node) return tonumber(C.ctree_store_load_state(self:handle(), node)) end
function Tree:child_count(parent) return tonumber(C.ctree_store_child_count(self:handle(), parent or 0)) end
function Tree:child_at(parent, position) return C.ctree_store_child_at(self:handle(), parent, position) end

function Tree:children(parent, first, count)
  first = first or 0
  local room = math.max(0, math.min(count or ct.END, self:child_count(parent) - first))
  local length, out = ffi.new("uint32_t[1]", room), ffi.new("uint64_t[?]", room + 1)
  check(C.ctree_store_children(self:handle(), parent or 0, first, length, out))
  return list(out, length[0])
end

function Tree:ordinal(node)
  local out = ffi.new("uint32_t[1]")
  check(C.ctree_store_ordinal(self:handle(), node, out))
  return tonumber(out[0])
end

function Tree:depth(node)
  local out = ffi.new("uint32_t[1]")
  check(C.ctree_store_depth(self:handle(), node, out))
  return tonumber(out[0])
end

function Tree:is_below(node, ancestor) return C.ctree_store_is_below(self:handle(), node, ancestor) end

function Tree:path(node)
  local room = self:depth(node) + 1
  local length, out = ffi.new("uint32_t[1]", room), ffi.new("uint32_t[?]", room)
  check(C.ctree_store_path(self:handle(), node, length, out))
  return list(out, length[0])
end

function Tree:node_at_path(path)
  local words = ffi.new("uint32_t[?]", #path + 1)
  for i, ordinal in ipairs(path) do words[i - 1] = ordinal end
  return C.ctree_store_node_at_path(self:handle(), words, #path)
end

function Tree:next(node, root, skip_children)
  return C.ctree_store_next(self:handle(), node, root or 0, skip_children or false)
end

--- An iterator over the nodes of a subtree in preorder, its root first; over the whole tree for ct.NONE.
function Tree:walk(root)
  root = root or ct.NONE
  local at, begun = root, root == ct.NONE
  return function()
    if not begun then
      begun = true
      return root
    end
    at = self:next(at, root)
    if at ~= ct.NONE then return at end
  end
end

function Tree:subtree_count(node) return tonumber(C.ctree_store_subtree_count(self:handle(), node)) end

--- Options: at, value, revision, state. On DUPLICATE the error's fault.node has the identifier.
function Tree:insert(parent, id, options)
  options = options or {}
  local init = ffi.new("ctree_node_init", {options.value or 0, options.revision or 0, options.state or 0})
  local out = ffi.new("uint64_t[1]")
  local status = C.ctree_store_insert(self:handle(), parent, options.at or ct.END, self:write_id(id), init, out)
  check(status, status == ct.Status.DUPLICATE and {fault = {node = out[0]}} or nil)
  return out[0]
end

function Tree:remove(node) check(C.ctree_store_remove(self:handle(), node)) end
function Tree:remove_children(parent, first, count) check(C.ctree_store_remove_children(self:handle(), parent, first, count)) end
function Tree:move(node, parent, at) check(C.ctree_store_move(self:handle(), node, parent, at or ct.END)) end
function Tree:set(node, value, revision) check(C.ctree_store_set_value(self:handle(), node, value, revision or 0)) end
function Tree:set_leaf(node, leaf) check(C.ctree_store_set_leaf(self:handle(), node, leaf)) end

--- All items at once; options: parent, at, progress. Their nodes come back.
function Tree:build(items, options)
  options = options or {}
  local forest, held = write_forest(self, items)
  local out = ffi.new("uint64_t[?]", #items.ids + 1)
  with_progress(options.progress, function(asked)
    with_fault(function(fault)
      return C.ctree_store_build(self:handle(), options.parent or 0, options.at or ct.END, forest, asked, out, fault)
    end)
  end)
  return list(out, held and #items.ids)
end

--- All nodes of another tree, which is empty afterwards.
function Tree:graft(other, options)
  options = options or {}
  with_progress(options.progress, function(asked)
    with_fault(function(fault)
      return C.ctree_store_graft(self:handle(), options.parent or 0, options.at or ct.END, other:handle(), asked, fault)
    end)
  end)
end

--- Makes what is below a parent those items; options: parent, moves (from elsewhere), progress.
function Tree:reconcile(items, options)
  options = options or {}
  local forest, held = write_forest(self, items)
  local out = ffi.new("uint64_t[?]", #items.ids + 1)
  with_progress(options.progress, function(asked)
    with_fault(function(fault)
      return C.ctree_store_reconcile(self:handle(), options.parent or 0, forest, options.moves and 1 or 0, asked, out, fault)
    end)
  end)
  return list(out, held and #items.ids)
end

function Tree:begin() check(C.ctree_store_begin(self:handle())) end
Tree["end"] = function(self) check(C.ctree_store_end(self:handle())) end
Tree.finish = Tree["end"]

--- Told of edits: { before = f(edit), after = f(edit), settled = f() }. What comes back ends it.
function Tree:listen(told)
  local function hears(f) return ffi.cast("void (*)(void *, const ctree_store *, const ctree_edit *)", guarded(function(_, _, edit)
    if f ~= nil then f(edit) end
  end)) end
  local before, after = hears(told.before), hears(told.after)
  local settled = ffi.cast("void (*)(void *, ctree_store *)", guarded(function() if told.settled ~= nil then told.settled() end end))
  local listener = ffi.new("ctree_listener", {before = before, after = after, settled = settled})
  local token = ffi.new("uint64_t[1]")
  check(C.ctree_store_add_listener(self:handle(), listener, token))
  return function()
    check(C.ctree_store_remove_listener(self:handle(), token[0]))
    before:free()
    after:free()
    settled:free()
  end
end

function Tree:request(node) check(C.ctree_load_request(self:handle(), node)) end
function Tree:next_request() return C.ctree_load_next_request(self:handle()) end

--- An iterator over the nodes whose children are wanted.
function Tree:requests()
  return function()
    local node = self:next_request()
    if node ~= ct.NONE then return node end
  end
end

local Load = {}
Load.__index = Load

--- A load by its ticket.
function Tree:load_of(node, ticket) return setmetatable({tree = self, node = node, ticket = ticket}, Load) end

--- Begins a load. Where one is under way the error has it as `load`.
function Tree:load(node, reload)
  local ticket = ffi.new("uint64_t[1]")
  local status = C.ctree_load_begin(self:handle(), node, reload and 1 or 0, ticket)
  local load = self:load_of(node, ticket[0])
  check(status, status == ct.Status.LOADING and {load = load} or nil)
  return load
end

function Load:status() return tonumber(C.ctree_load_check(self.tree:handle(), self.node, self.ticket)) end

--- Ends it with all children; they may come from elsewhere unless `stays`.
function Load:finish(items, stays)
  local forest, held = write_forest(self.tree, items)
  with_fault(function(fault)
    return C.ctree_load_finish(self.tree:handle(), self.node, self.ticket, forest, stays and 0 or 1, nil, fault)
  end)
  return held
end

function Load:append(items, more)
  local forest, held = write_forest(self.tree, items)
  with_fault(function(fault)
    return C.ctree_load_append(self.tree:handle(), self.node, self.ticket, forest, more, nil, fault)
  end)
  return held
end

function Load:fail(why) check(C.ctree_load_fail(self.tree:handle(), self.node, self.ticket, why or 0)) end
function Load:cancel() check(C.ctree_load_cancel(self.tree:handle(), self.node, self.ticket)) end
function Tree:load_error(node) return C.ctree_load_error(self:handle(), node) end
function Tree:drop(node) check(C.ctree_load_drop(self:handle(), node)) end

-- ---- Rows of a moment ----------------------------------------------------------------------------------------------

local function read_rows(out, count)
  local rows = {}
  for i = 1, tonumber(count) do
    local row = out[i - 1]
    rows[i] = {node = row.node, depth = tonumber(row.depth), position = tonumber(row.position),
      sibling_count = tonumber(row.sibling_count), state = tonumber(row.load_state), expandable = row.expandable,
      expanded = row.expanded, more = row.more}
  end
  return rows
end

local Rows = {}
Rows.__index = Rows

function Rows:close() C.ctree_rows_destroy(ffi.gc(self.rows, nil)) self.rows = nil end
function Rows:count() return tonumber(C.ctree_rows_count(self.rows)) end
function Rows:nodes() return list(C.ctree_rows_nodes(self.rows), self:count()) end
function Rows:depths() return list(C.ctree_rows_depths(self.rows), self:count()) end
function Rows:section_count() return tonumber(C.ctree_rows_section_count(self.rows)) end
function Rows:section_node(section) return C.ctree_rows_section_node(self.rows, section) end
function Rows:section_start(section) return tonumber(C.ctree_rows_section_start(self.rows, section)) end
function Rows:node_at(row) return C.ctree_rows_node(self.rows, row) end
function Rows:row_of(node) return row_or_nil(C.ctree_rows_row(self.rows, node)) end

function Rows:index_path(row)
  local path = ffi.new("ctree_index_path")
  check(C.ctree_rows_index_path(self.rows, row, path))
  return index_path(path)
end

function Rows:row_at(section, row)
  return row_or_nil(C.ctree_rows_at_index_path(self.rows, ffi.new("ctree_index_path", {section, row})))
end

function Rows:window(view, first, count)
  local room = math.max(0, math.min(count, self:count() - first))
  local length, out = ffi.new("uint32_t[1]", room), ffi.new("ctree_row[?]", room + 1)
  check(C.ctree_rows_window(self.rows, view:handle(), first, length, out))
  return read_rows(out, length[0])
end

-- ---- Changes -------------------------------------------------------------------------------------------------------

local function records(array, count, ...)
  local fields, found = {...}, {}
  for i = 1, tonumber(count) do
    local record = {}
    for k, field in ipairs(fields) do record[k] = tonumber(array[i - 1][field]) end
    found[i] = record
  end
  return found
end

local function read_batch(b)
  return {reload = b.reload ~= 0, old_count = tonumber(b.old_count), new_count = tonumber(b.new_count),
    deletes = records(b.deletes, b.delete_count, "first", "count"),
    inserts = records(b.inserts, b.insert_count, "first", "count"),
    moves = records(b.moves, b.move_count, "from", "to", "count"),
    changes = records(b.changes, b.change_count, "from", "to", "count")}
end

local function read_section_batch(b)
  return {reload = b.reload ~= 0, old_section_count = tonumber(b.old_section_count),
    new_section_count = tonumber(b.new_section_count), old_count = tonumber(b.old_count), new_count = tonumber(b.new_count),
    section_deletes = records(b.section_deletes, b.section_delete_count, "first", "count"),
    section_inserts = records(b.section_inserts, b.section_insert_count, "first", "count"),
    section_moves = records(b.section_moves, b.section_move_count, "from", "to", "count"),
    section_changes = records(b.section_changes, b.section_change_count, "from", "to", "count"),
    deletes = records(b.deletes, b.delete_count, "section", "first", "count"),
    inserts = records(b.inserts, b.insert_count, "section", "first", "count"),
    moves = records(b.moves, b.move_count, "from_section", "from", "to_section", "to", "count"),
    changes = records(b.changes, b.change_count, "from_section", "from", "to_section", "to", "count")}
end

-- ---- Views ---------------------------------------------------------------------------------------------------------

local View = {}
View.__index = View
ct.View = View

local FLAGS = {sections = 1, forgets = 2, empty_can_open = 4, records = 8}

--- A view; options: open_levels, sections, forgets, empty_can_open, records (true unless said otherwise).
function Tree:view(options)
  local bits = 0
  local given = options or {}
  for name, wanted in pairs(given) do
    if name ~= "open_levels" and FLAGS[name] == nil then error("a view has no option " .. name, 0) end
    if FLAGS[name] ~= nil and wanted then bits = bits + FLAGS[name] end
  end
  if given.records == nil then bits = bits + FLAGS.records end
  local c = ffi.new("ctree_view_options", {ffi.sizeof("ctree_view_options"), bits, given.open_levels or 0})
  local out = ffi.new("ctree_view *[1]")
  check(C.ctree_view_create(self:handle(), c, out))
  return setmetatable({tree = self, view = ffi.gc(out[0], C.ctree_view_destroy)}, View)
end

function View:close()
  if self.view == nil then return end
  C.ctree_view_destroy(ffi.gc(self.view, nil))
  self.view = nil
  if self.watcher ~= nil then self.watcher:free() end
end

function View:handle()
  if self.view == nil then fail(ct.Status.CLOSED) end
  return self.view
end

function View:is_of(tree) return C.ctree_view_store(self:handle()) == tree:handle() end
function View:expand(node) check(C.ctree_view_expand(self:handle(), node)) end
function View:collapse(node) check(C.ctree_view_collapse(self:handle(), node)) end
function View:toggle(node) check(C.ctree_view_toggle(self:handle(), node)) end
function View:reveal(node) check(C.ctree_view_reveal(self:handle(), node)) end

function View:expand_all(node, levels, progress)
  with_progress(progress, function(asked)
    check(C.ctree_view_expand_all(self:handle(), node or 0, levels or ct.ALL_LEVELS, asked))
  end)
end

function View:collapse_all(node) check(C.ctree_view_collapse_all(self:handle(), node or 0)) end
function View:is_expanded(node) return C.ctree_view_is_expanded(self:handle(), node) end
function View:is_visible(node) return C.ctree_view_is_visible(self:handle(), node) end
function View:is_expandable(node) return C.ctree_view_is_expandable(self:handle(), node) end
function View:row_count() return tonumber(C.ctree_view_row_count(self:handle())) end
function View:node_at(row) return C.ctree_view_node_at(self:handle(), row) end
function View:row_of(node) return row_or_nil(C.ctree_view_row_of(self:handle(), node)) end

function View:nodes_at(rows)
  local asked, out = ffi.new("uint32_t[?]", #rows + 1), ffi.new("uint64_t[?]", #rows + 1)
  for i, row in ipairs(rows) do asked[i - 1] = row end
  check(C.ctree_view_nodes_at(self:handle(), asked, #rows, out))
  return list(out, #rows)
end

--- Rows of nodes, false for those that have none.
function View:rows_of(nodes)
  local asked, out = ffi.new("uint64_t[?]", #nodes + 1), ffi.new("uint32_t[?]", #nodes + 1)
  for i, node in ipairs(nodes) do asked[i - 1] = node end
  check(C.ctree_view_rows_of(self:handle(), asked, #nodes, out))
  local found = {}
  for i = 1, #nodes do found[i] = row_or_nil(out[i - 1]) or false end
  return found
end

function View:window(first, count)
  local room = math.max(0, math.min(count, self:row_count() - first))
  local length, out = ffi.new("uint32_t[1]", room), ffi.new("ctree_row[?]", room + 1)
  check(C.ctree_view_window(self:handle(), first, length, out))
  return read_rows(out, length[0])
end

--- Nodes and depths of a window, as two lists.
function View:nodes_from(first, count)
  local room = math.max(0, math.min(count, self:row_count() - first))
  local length, nodes, depths = ffi.new("uint32_t[1]", room), ffi.new("uint64_t[?]", room + 1), ffi.new("uint32_t[?]", room + 1)
  check(C.ctree_view_nodes_from(self:handle(), first, length, nodes, depths))
  return list(nodes, length[0]), list(depths, length[0])
end

function View:ancestors(node)
  local room = self.tree:depth(node)
  local length, out = ffi.new("uint32_t[1]", room), ffi.new("uint64_t[?]", room + 1)
  check(C.ctree_view_ancestors(self:handle(), node, length, out))
  return list(out, length[0])
end

function View:section_count() return tonumber(C.ctree_view_section_count(self:handle())) end
function View:section_node(section) return C.ctree_view_section_node(self:handle(), section) end
function View:section_rows(section) return tonumber(C.ctree_view_section_rows(self:handle(), section)) end

function View:index_path(row)
  local path = ffi.new("ctree_index_path")
  check(C.ctree_view_index_path(self:handle(), row, path))
  return index_path(path)
end

function View:row_at(section, row)
  return row_or_nil(C.ctree_view_row_at_index_path(self:handle(), ffi.new("ctree_index_path", {section, row})))
end

--- The rows as they are now, as a value of its own; `lookup` keeps the way back from nodes.
function View:flatten(lookup, progress)
  return with_progress(progress, function(asked)
    local out = ffi.new("ctree_rows *[1]")
    check(C.ctree_rows_flatten(self:handle(), lookup and 1 or 0, asked, out))
    return setmetatable({rows = ffi.gc(out[0], C.ctree_rows_destroy)}, Rows)
  end)
end

function View:memory() return tonumber(C.ctree_view_memory(self:handle())) end
function View:trim() check(C.ctree_view_trim(self:handle())) end
function View:compact() check(C.ctree_view_compact(self:handle())) end
function View:validate() reasoned(function(reason) return C.ctree_view_validate(self:handle(), reason) end) end
function View:select(node, selected) check(C.ctree_view_select(self:handle(), node, selected ~= false)) end

function View:select_rows(first, count, selected)
  check(C.ctree_view_select_rows(self:handle(), first, count, selected ~= false))
end

function View:deselect_all() check(C.ctree_view_deselect_all(self:handle())) end
function View:is_selected(node) return C.ctree_view_is_selected(self:handle(), node) end
function View:selected_count() return tonumber(C.ctree_view_selected_count(self:handle())) end

function View:selected()
  local room = self:selected_count()
  local length, out = ffi.new("uint64_t[1]", room), ffi.new("uint64_t[?]", room + 1)
  check(C.ctree_view_selected(self:handle(), length, out))
  return list(out, length[0])
end

--- A list of { path = {...}, what = bits }.
function View:save(what)
  local entries = {}
  local tell = ffi.cast("ctree_saved_fn", guarded(function(_, entry)
    local path = {}
    for i = 1, tonumber(entry.length) do path[i] = self.tree:read_id(entry.path[i - 1]) end
    entries[#entries + 1] = {path = path, what = tonumber(entry.what)}
    return true
  end, false))
  local status = C.ctree_view_save(self:handle(), what or ct.Saved.ALL, tell, nil)
  tell:free()
  check(status)
  return entries
end

function View:restore(entries)
  local written, held = ffi.new("ctree_saved[?]", #entries + 1), {}
  for i, entry in ipairs(entries) do
    held[i] = self.tree:write_ids(entry.path)
    written[i - 1].path = held[i]
    written[i - 1].length = #entry.path
    written[i - 1].what = entry.what
  end
  check(C.ctree_view_restore(self:handle(), written, #entries))
end

function View:waiting_count() return tonumber(C.ctree_view_waiting_count(self:handle())) end
function View:forget_waiting() check(C.ctree_view_forget_waiting(self:handle())) end

--- Whether the node at the end of the path is visible, and it; else that loads are to bring it, and its nearest ancestor.
function View:reveal_path(path)
  local out = ffi.new("uint64_t[1]")
  local status = C.ctree_view_reveal_path(self:handle(), self.tree:write_ids(path), #path, out)
  if status ~= ct.Status.LOADING then check(status) end
  return status == 0, out[0]
end

function View:commit(limit)
  local out = ffi.new("const ctree_batch *[1]")
  check(C.ctree_view_commit(self:handle(), limit or 0, out))
  return read_batch(out[0])
end

function View:commit_sections(limit)
  local out = ffi.new("const ctree_section_batch *[1]")
  check(C.ctree_view_commit_sections(self:handle(), limit or 0, out))
  return read_section_batch(out[0])
end

function View:accept() check(C.ctree_view_accept(self:handle())) end

--- Told of each splice as it happens, as (row, removed, inserted); nil ends it.
function View:watch(told)
  local call = nil
  if told ~= nil then
    call = ffi.cast("ctree_splice_fn", guarded(function(_, _, splice)
      told(tonumber(splice.row), tonumber(splice.removed), tonumber(splice.inserted))
    end))
  end
  check(C.ctree_view_watch(self:handle(), call, nil))
  if self.watcher ~= nil then self.watcher:free() end
  self.watcher = call
end

-- ---- The diff ------------------------------------------------------------------------------------------------------

local KEYS = {nodes = 0, u64 = 1, ids = 2}

local function write_keys(keys, kind, held)
  if #keys == 0 then return nil end
  local words = ffi.new(kind == "ids" and "ctree_id[?]" or "uint64_t[?]", #keys)
  for i, key in ipairs(keys) do
    if kind == "ids" then
      words[i - 1].bytes = key
      words[i - 1].word = #key
    else
      words[i - 1] = key
    end
  end
  held[#held + 1] = words
  return words
end

local function write_numbers(numbers, kind, held)
  if numbers == nil or #numbers == 0 then return nil end
  local words = ffi.new(kind, #numbers)
  for i, number in ipairs(numbers) do words[i - 1] = number end
  held[#held + 1] = words
  return words
end

local function write_list(given, kind, held)
  if given == nil then return nil end
  local c = ffi.new("ctree_diff_list")
  held[#held + 1] = c
  c.rows = write_keys(given.rows or {}, kind, held)
  c.revisions = write_numbers(given.revisions, "uint64_t[?]", held)
  c.sections = write_keys(given.sections or {}, kind, held)
  c.section_rows = write_numbers(given.section_rows, "uint32_t[?]", held)
  c.section_revisions = write_numbers(given.section_revisions, "uint64_t[?]", held)
  c.row_count = #(given.rows or {})
  c.section_count = #(given.sections or {})
  return c
end

--- The change between lists { rows, revisions, sections, section_rows, section_revisions }; a nil old one: nothing was
--- shown. Options: keys ("u64", "ids", "nodes"), form ("batch", "sections", "splices", "steps"), limit, progress.
function ct.diff(old_list, new_list, options)
  options = options or {}
  local kind, form, held = options.keys or "u64", options.form or "batch", {}
  return with_progress(options.progress, function(asked)
    local c = ffi.new("ctree_diff_options")
    c.size = ffi.sizeof("ctree_diff_options")
    c.keys = KEYS[kind]
    c.forms = ({batch = 1, sections = 2, splices = 4, steps = 8})[form]
    c.limit = options.limit or 0
    c.progress = asked
    local twice, out = ffi.new("ctree_diff_duplicate"), ffi.new("ctree_diff *[1]")
    local status = C.ctree_diff_create(write_list(old_list, kind, held), write_list(new_list, kind, held), c, twice, out)
    if status == ct.Status.DUPLICATE then
      fail(status, {twice = {in_new = twice.in_new ~= 0, in_sections = twice.in_sections ~= 0,
        first = tonumber(twice.first), second = tonumber(twice.second)}})
    end
    check(status)
    local diff, result = out[0], nil
    if form == "batch" then
      result = read_batch(C.ctree_diff_batch(diff))
    elseif form == "sections" then
      result = read_section_batch(C.ctree_diff_section_batch(diff))
    else
      local told = form == "splices" and C.ctree_diff_splices(diff) or C.ctree_diff_steps(diff)
      result = {reload = told.reload ~= 0, old_count = tonumber(told.old_count), new_count = tonumber(told.new_count)}
      if form == "splices" then
        result.splices = records(told.splices, told.splice_count, "row", "removed", "inserted")
      else
        result.steps = records(told.steps, told.step_count, "kind", "from", "to", "count")
      end
    end
    C.ctree_diff_destroy(diff)
    return result
  end)
end

-- Compiled code must not call C that calls back into Lua. Reads never do; what edits, ends or asks may.
for _, class in ipairs({Tree, View, Load, Rows}) do
  for name, method in pairs(class) do
    local reads = name:match("^is_") or name:match("_at$") or name:match("_of$") or name:match("count$") or name == "next"
      or name == "find" or name == "find_child" or name == "find_many" or name == "value" or name == "window"
      or name == "nodes_from" or name == "id" or name == "parent" or name == "contains"
    if type(method) == "function" and not reads then jit.off(method, true) end
  end
end
jit.off(ct.diff, true)

return ct
