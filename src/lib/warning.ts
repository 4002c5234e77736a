// What was asked for and could not be done, told beside the result.
// What warnings there are is for those who give them.

export type Warning = { code: string; message: string }

/** What is told twice is told once. */
export const joinedWarnings = (...lists: (readonly Warning[])[]): Warning[] => {
  const all = lists.flat()
  return all.filter(({ code }, index) => all.findIndex((other) => other.code === code) === index)
}
