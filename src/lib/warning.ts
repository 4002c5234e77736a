// A part of a request that could not be fulfilled, reported with the result.

export type Warning = { code: string; message: string }

/** Reports each code once. */
export const uniqueWarnings = (...lists: (readonly Warning[])[]): Warning[] => {
  const all = lists.flat()
  return all.filter(({ code }, index) => all.findIndex((other) => other.code === code) === index)
}
