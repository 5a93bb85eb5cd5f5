"""Edits carried out on the contents of a world, each with its inverse as the answer (E6)."""

from __future__ import annotations

import numpy as np

from tinkerdyne.engine.going_back import restore
from tinkerdyne.engine.snapshot import Snapshot
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import checked_name
from tinkerdyne.language.item import Item, Values, label
from tinkerdyne.language.kinds import Value
from tinkerdyne.language.types import REGISTRY
from tinkerdyne.world.contents import Contents
from tinkerdyne.world.display import renamed as renamed_display
from tinkerdyne.world.display import with_part
from tinkerdyne.world.edit import (
    Add,
    Change,
    Configure,
    Description,
    Display,
    Edit,
    Move,
    Plan,
    Remove,
    Rename,
    Several,
)
from tinkerdyne.world.timeline import checked as checked_timeline
from tinkerdyne.world.timeline import renamed


class Editor:
    """Changes the contents of a world, and remembers nothing: that is `History`'s."""

    def __init__(self, contents: Contents) -> None:
        self.contents, self.engine = contents, contents.engine

    def snapshot(self) -> Snapshot:
        """The state of everything now."""
        return self.engine.snapshot()

    def restore(self, shot: Snapshot) -> None:
        """Put everything that is still there back into the state that it had."""
        restore(self.engine, shot)

    def carry_out(self, edit: Edit) -> Edit:
        """Do what an edit says and return its inverse; a transaction around it makes it all or nothing."""
        contents = self.contents
        if not isinstance(edit, Display):  # which the motion knows nothing of
            self.engine.is_settled = False
        match edit:
            case Add(items):
                return self._add(items)
            case Remove(names):
                return self._remove(names)
            case Change(name, parameter, value, key):
                return self._change(contents.bearer(name, key), parameter, value)
            case Move(name, state, key):
                return self._move(contents.bearer(name, key), dict(state))
            case Rename(name, to):
                return self._rename(contents[name], to)
            case Configure(setting, value):
                old = dict(contents.chosen).get(setting)  # None is as it comes
                contents.configure({setting: value})
                return Configure(setting, old)
            case Plan(entries):
                was, contents.timeline = contents.timeline, checked_timeline(entries, contents.timeline)
                return Plan(was)
            case Display(part, shown):
                before = contents.display.get(part)
                contents.display = with_part(contents.display, part, shown)
                return Display(part, before)
            case Several(edits):
                return self._several(edits)
        raise TypeError(f"{edit!r} is not an edit")

    def _several(self, edits: tuple[Edit, ...]) -> Edit:
        done = [self.carry_out(edit) for edit in edits]
        return Several(tuple(reversed(done)))

    # --- items in and out ------------------------------------------------------------------------
    def _add(self, descriptions: tuple[Description, ...]) -> Edit:
        contents, done = self.contents, []
        newest = next(reversed(contents.by_name.values())).key if contents.by_name else 0
        for description in descriptions:
            self._add_one(description)
            done.append(description.name)
        if any(contents[name].key < newest for name in done):
            contents.sort()
        return Remove(tuple(done))

    def _add_one(self, d: Description) -> None:
        contents = self.contents
        there = contents.get(d.name)
        if there is not None:
            same = contents.describe(there)
            if there.type.family == "connector" and (same.type, same.inputs, same.values) == (
                d.type,
                d.inputs,
                d.values,
            ):
                return  # a place that was read, and so adopted, before this edit came again
            raise ValueError(f"there is already a {label(there)}")
        item = contents.admit(d.key, d.name)
        if item is None:
            item = self._here_before(d) or self._made(d)
            contents.enlist(item, d.name)
        if d.part:
            contents.keep(item.inputs[0])
            item.inputs[0].parts[d.part] = item
        if d.memory:
            item.start["memory"] = self._fitting(item, d.memory)
        self._attach(item)

    def _fitting(self, item: Item, memory: tuple[float, ...]) -> Array:
        """A constraint's memory of the right length, or a message."""
        if item.type.rule == "contact":
            return np.array(memory)
        width = self.engine.memory_width(item) if item.type.family == "constraint" else 0
        if len(memory) != width:
            raise ValueError(
                f"memory of {label(item)} must have {width} numbers, not {len(memory)}; it may be left out"
            )
        return np.array(memory)

    def _made(self, d: Description) -> Item:
        """A new item by its description."""
        contents = self.contents
        kind = REGISTRY.get(d.type)
        if kind is None:
            raise ValueError(f"{d.name!r} has the unknown type {d.type!r}")
        for needed in d.inputs:
            if needed not in contents:
                raise ValueError(
                    f"{d.type} {d.name!r} refers to {needed!r}, which is not in this world; add it first"
                )
        inputs = tuple(contents[name] for name in d.inputs)
        item: Item = kind.make(d.name, inputs, {**dict(d.values), **dict(d.state)})
        contents.give_key(item, d.key if d.key not in contents.handles else 0)
        return item

    def _here_before(self, d: Description) -> Item | None:
        """The item that was here under this key, with the values and the state that are described."""
        item = self.contents.handles.get(d.key) if d.key else None
        if item is None or item.world is not None or (item.type.name, item.name) != (d.type, d.name):
            return None  # or an edit from another world: there the key meant something else
        for source in item.inputs:
            if source.world is not self.contents.world:
                raise ValueError(
                    f"{label(item)} refers to {label(source)}, which is not in this world; add it first"
                )
        self.contents.keep(item)
        item.values.update(d.values)
        item.start.update(d.state)
        object.__setattr__(item, "resolved", None)
        return item

    def _attach(self, item: Item) -> None:
        if item.type.family == "object":
            self.engine.attach_object(item, *item.type.pack(item))
        elif item.values.get("is_on", True):
            self.engine.attach(item, item.start.pop("memory", None))
        if item.type.family in ("object", "field"):
            self.engine.check_fields(item)

    def _remove(self, names: tuple[str, ...]) -> Edit:
        contents = self.contents
        doomed = contents.dependents(names)
        listed = sorted(doomed.values(), key=lambda item: item.key)
        described = tuple(contents.describe(item) for item in listed)
        for item in reversed(listed):
            if self.engine.is_attached(item):
                self.engine.detach(item)
            is_alone = not any(source.name in doomed for source in item.inputs)
            contents.strike_off(item, is_free=contents.is_implicit(item) and is_alone)
        return Add(described)

    # --- values and state ------------------------------------------------------------------------
    def _change(self, item: Item, parameter: str, value: Value) -> Edit:
        value = item.type.checked_live(item, parameter, value)
        self.contents.keep(item)
        if item.type.family == "connector" and self.engine.is_attached(item):
            self.engine.keep_turns(item)  # the count may be what is changed
        old = item.values[parameter]
        places = item.type.places if item.type.family == "object" else None
        derived = places(item.values) if places is not None else {}
        item.values[parameter] = value
        object.__setattr__(item, "resolved", None)
        if parameter == "is_on":
            self._switch(item, is_on=value)
        elif not self.engine.is_attached(item):
            self._check_chain(item)  # it may be switched on later
        elif not self.engine.set_parameters(item):
            self._check_chain(item)
            self._attach_anew(item)
        if item.type.family == "field":
            self.engine.check_fields(item)
        if places is not None:
            self._move_parts(item, derived, places(item.values))
        return Change(item.name, parameter, old, item.key)

    def _switch(self, item: Item, *, is_on: bool) -> None:
        engine = self.engine
        if is_on and not engine.is_attached(item):
            self._attach(item)
        elif not is_on and engine.is_attached(item):
            if item.type.family == "constraint":
                item.start["memory"] = engine.memory(item)
            engine.detach(item)

    def _move_parts(self, item: Item, derived: Values, places: Values) -> None:
        """Named places of an object go along with its shape; one that was moved by hand stays where it was
        put."""
        for name, at in places.items():
            part = item.parts.get(name)
            if part is not None and part.world is self.contents.world and part.values["at"] == derived[name]:
                self.contents.keep(part)
                part.values["at"] = at
                self.engine.set_parameters(part)

    def _check_chain(self, item: Item) -> None:
        """Refuse what an item, or what is plugged into it, cannot bear, also where it is switched off."""
        chain = self.contents.dependents([item.name]).values()
        for link in sorted(chain, key=lambda link: link.key):
            if link.type.family == "object":
                link.type.resolve(link)
            elif link.type.family != "field":
                link.type.check_inputs(link)
                link.type.block_of(link)

    def _attach_anew(self, item: Item) -> None:
        """An item whose block changes shape: it and what is plugged into it get new rows, with state and
        memory kept."""
        engine, chain = self.engine, self.contents.chain(item)
        state = engine.state(item) if item.type.family == "object" else None
        memory = {link.key: engine.memory(link) for link in chain if link.type.family == "constraint"}
        for link in reversed(chain):
            engine.detach(link)
        for link in chain:
            if link is item and state is not None:
                engine.attach_object(link, *state)
            else:
                kept = memory.get(link.key)
                fits = kept is not None and len(kept) == engine.memory_width(link)
                engine.attach(link, kept if fits else None)

    def _move(self, item: Item, state: Values) -> Edit:
        if item.type.family != "object":
            raise TypeError(f"{label(item)} has no state to set")
        names = item.type.state_names()
        for name in state:
            if name not in names:
                raise ValueError(f"{label(item)} has no state {name!r}; it has {', '.join(names)}")
        new = {name: item.type.checked_state(label(item), name, value) for name, value in state.items()}
        now = {name: self.contents.state_of(item, name) for name in names}
        self.contents.keep(item)
        item.start.update({**now, **new})
        self.engine.set_state(item, *item.type.pack(item))
        return Move(item.name, tuple((name, now[name]) for name in state), item.key)

    # --- names -----------------------------------------------------------------------------------
    def _rename(self, item: Item, to: str) -> Edit:
        contents = self.contents
        if not checked_name(f"the new name of {label(item)}", to):
            raise ValueError(f"{label(item)} needs a name of at least one character")
        if to in contents:
            raise ValueError(f"there is already a {label(contents[to])}")
        old = item.name
        names = {old: to} | contents.named_after(item, to)
        taken = [other.name for other in contents.related(item) if other.name.startswith(f"{to}.")]
        planned = contents.timeline
        contents.rename(item, names)
        contents.timeline = renamed(planned, names)
        if contents.display:
            contents.display = renamed_display(contents.display, names)
        # What was called after the new name before keeps its own when this is taken back.
        back: list[Edit] = [Rename(old + name.removeprefix(to), name) for name in taken]
        if renamed(contents.timeline, {new: name for name, new in names.items()}) != planned:
            back.append(Plan(planned))  # it spoke of the new name before, and meant another
        return Several((Rename(to, old), *back)) if back else Rename(to, old)
