// Dynamic time warping: the cheapest monotonic path through a matrix of costs.

const DIAGONAL = 0
const DOWN = 1
const RIGHT = 2

/** For each cell, the neighbour from which it is reached most cheaply. */
const traceOf = (costs: Float32Array, rows: number, columns: number) => {
  const trace = new Uint8Array(rows * columns)
  const above = new Float64Array(columns)
  for (let row = 0; row < rows; row += 1) {
    let diagonal = Number.POSITIVE_INFINITY
    let left = Number.POSITIVE_INFINITY
    for (let column = 0; column < columns; column += 1) {
      const up = row === 0 ? Number.POSITIVE_INFINITY : above[column]!
      const isFirst = row === 0 && column === 0
      const from = diagonal < up && diagonal < left ? DIAGONAL : up < diagonal && up < left ? DOWN : RIGHT
      trace[row * columns + column] = isFirst ? DIAGONAL : row === 0 ? RIGHT : column === 0 ? DOWN : from
      const before = isFirst ? 0 : Math.min(diagonal, up, left)
      diagonal = up
      left = before + costs[row * columns + column]!
      above[column] = left
    }
  }
  return trace
}

/**
 * @param costs [rows][columns]
 * @returns for each row the first column of the cheapest path from the first cell to the last
 */
export const firstColumns = (costs: Float32Array, rows: number, columns: number): number[] => {
  const trace = traceOf(costs, rows, columns)
  const first = new Array<number>(rows).fill(0)
  let row = rows - 1
  let column = columns - 1
  while (row >= 0 && column >= 0) {
    first[row] = column
    const from = trace[row * columns + column]
    if (from !== RIGHT) row -= 1
    if (from !== DOWN) column -= 1
  }
  return first
}
