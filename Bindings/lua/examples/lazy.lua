-- A tree whose folders are loaded as they are opened, and the batches that a table would take.

local ct = require("ctreecore")

-- What a database would answer.
local below = {library = {"novels", "essays"}, novels = {"Middlemarch", "Emma"}}

local tree = ct.Tree.new{ids = "bytes"}
local library = tree:insert(ct.NONE, "library", {state = ct.State.UNLOADED})
local view = tree:view()
view:accept()

local function load_what_was_opened()
  for folder in tree:requests() do
    local names, states = below[tree:id(folder)] or {}, {}
    for i, name in ipairs(names) do states[i] = (name == "novels" or name == "essays") and ct.State.UNLOADED or ct.State.LEAF end
    tree:load(folder):finish{ids = names, states = states}
  end
end

local function show()
  for _, range in ipairs(view:commit().inserts) do
    print(("rows %d to %d came"):format(range[1], range[1] + range[2] - 1))
  end
  view:accept()
  for _, row in ipairs(view:window(0, 20)) do
    print(("  "):rep(row.depth) .. (row.expanded and "- " or row.expandable and "+ " or "  ") .. tree:id(row.node))
  end
end

view:expand(library)
load_what_was_opened()
show()
view:expand(tree:find("novels"))
load_what_was_opened()
show()
tree:close()
