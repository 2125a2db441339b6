/** What was changed in the sketch, changed in a text that says more than the sketch. */
import { type Way, withItem, withValue, withoutValue } from "./patch";
import type { Sketch } from "./sketch";
import { type Fields, type ListName, inline, itemLines, tables } from "./toml";

/** The text with the difference of two sketches; all that is not different stays as it was written. An Error if the text is not TOML. */
export function merged(text: string, before: Sketch, after: Sketch): string {
  const [old, now] = [tables(before), tables(after)];
  let found = fields(text, [], old.top, now.top);
  found = fields(found, ["ground"], old.ground, now.ground);
  for (const list of Object.keys(now.lists) as ListName[]) {
    for (const name of old.lists[list].keys()) if (!now.lists[list].has(name)) found = withoutValue(found, [list, { name }]);
    for (const [name, item] of now.lists[list]) {
      const known = old.lists[list].get(name);
      found = known === undefined ? withItem(found, list, itemLines(name, item)) : fields(found, [list, { name }], known, item);
    }
  }
  return fields(found, ["start", "guesses"], old.guesses, now.guesses);
}

type Anything = ReadonlyMap<string, string | Fields | ReadonlyMap<string, string>>;

function fields(text: string, way: Way, before: Anything, after: Anything): string {
  let found = text;
  for (const name of before.keys()) if (!after.has(name)) found = withoutValue(found, [...way, name]);
  for (const [name, value] of after) {
    const known = before.get(name);
    if (typeof value === "string") {
      if (value !== known) found = withValue(found, [...way, name], value);
    } else if (known === undefined || typeof known === "string") found = withValue(found, [...way, name], inline(value));
    else found = fields(found, [...way, name], known, value);
  }
  return found;
}
