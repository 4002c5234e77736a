/** Finds all words that begin at an offset; the time does not depend on the number of words. */
export type Trie<T> = {
  add(word: string, value: T): void
  /** calls `found` for every word that begins at `at`, shortest first, with its end */
  walk(text: string, at: number, found: (value: T, end: number) => void): void
}

/** Code units are below this, so a node and the next unit combine into one number. */
const UNITS = 0x10000

export function createTrie<T>(): Trie<T> {
  const children = new Map<number, number>()
  const values: (T[] | undefined)[] = [undefined]
  return {
    add(word, value) {
      let node = 0
      for (let i = 0; i < word.length; i += 1) {
        const key = node * UNITS + word.charCodeAt(i)
        let next = children.get(key)
        if (next === undefined) {
          next = values.push(undefined) - 1
          children.set(key, next)
        }
        node = next
      }
      const existing = values[node]
      if (existing) existing.push(value)
      else values[node] = [value]
    },
    walk(text, at, found) {
      let node: number | undefined = 0
      for (let i = at; i < text.length; i += 1) {
        node = children.get(node * UNITS + text.charCodeAt(i))
        if (node === undefined) return
        for (const value of values[node] ?? []) found(value, i + 1)
      }
    },
  }
}
