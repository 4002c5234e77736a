/**
 * The bytes of an IP address: 4 or 16.
 * @param text as the system writes it: four numbers, or eight groups with at most one `::`
 */
export function addressBytes(text: string): Uint8Array {
  if (!text.includes(':')) return Uint8Array.from(text.split('.'), Number)
  const [before = [], after = []] = text.split('::').map((half) => half.split(':').filter(Boolean))
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
  return Uint8Array.from(
    groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]),
  )
}
