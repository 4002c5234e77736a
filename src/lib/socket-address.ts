// An address as sockets have it: 4 bytes or 16.
// Knows no names; nothing is asked of a resolver.

/** @param text as the system writes it: four numbers, or eight groups with at most one `::` */
export function addressBytes(text: string): Uint8Array {
  if (!text.includes(':')) return Uint8Array.from(text.split('.'), Number)
  const [before = [], after = []] = text.split('::').map((half) => half.split(':').filter(Boolean))
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
  return Uint8Array.from(
    groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]),
  )
}
