/** Bun imports the file by its path (`type: 'file'`). */
declare const path: string
export default path
