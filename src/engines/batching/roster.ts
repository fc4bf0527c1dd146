/**
 * Items that come and go with each request, in places that are used again.
 *
 * A `Set` keeps garbage here. V8 builds its table anew after some deletions, and the old table refers to the new one. So
 * one old table in the old generation keeps all later tables, and the requests that were in them, until that generation
 * is collected.
 */
export class Roster<Item extends object> implements Iterable<Item> {
  readonly #items: (Item | undefined)[] = [];
  readonly #free: number[] = [];

  /** Returns the place of the item, with which it is removed. */
  add(item: Item): number {
    const place = this.#free.pop() ?? this.#items.length;
    this.#items[place] = item;
    return place;
  }

  remove(place: number) {
    this.#items[place] = undefined;
    this.#free.push(place);
  }

  *[Symbol.iterator]() {
    for (const item of this.#items) if (item) yield item;
  }
}
