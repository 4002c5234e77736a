// Where recordings and the copies for people are stored. By default that is the data folder; several servers share a
// folder that all of them mount, or an S3 bucket. The paths are the same in each, so that each can become a data folder.

export type Store = {
  /** as users write it in DICTATION_STORE; null: the data folder */
  readonly address: string | null
  /** The local files, under the same paths: the recordings themselves, or a cache of them; and their waveforms. */
  readonly folder: string
  /**
   * Durable once it resolves. The data folder moves the file into place. Any other store copies it, and the caller
   * keeps it until nothing depends on it. `onLocal` receives the local file as soon as it can be read.
   */
  put(path: string, file: string, onLocal?: (file: string) => void): Promise<void>
  /** The local file of a recording with this hash. @throws as `isMissing` if it is not stored, and StoreError */
  get(path: string, sha256: string): Promise<string>
  /** The hash of a recording as it is stored, whatever the cache holds. @throws as `get` */
  hash(path: string): Promise<string>
  /** Replaces a text durably. */
  write(path: string, text: string | Generator<string>): Promise<void>
  /** Null if there is none. */
  read(path: string): Promise<Buffer | null>
  /** A missing file is not an error. */
  remove(path: string): Promise<void>
  /** The paths that start with the prefix, in no order. */
  list(prefix: string): AsyncIterable<string>
}

/** What a shared folder and a bucket have in common. Every call may be repeated. */
export type SharedFiles = {
  /** with `isNew`, an existing file stays as it is */
  put(path: string, file: string, how?: { isNew: boolean }): Promise<void>
  /** @throws as `isMissing` if there is no such file */
  get(path: string): Promise<AsyncIterable<Uint8Array>>
  remove(path: string): Promise<void>
  list(prefix: string): AsyncIterable<string>
}

/** The store does not answer, or refuses. Nothing is lost: the caller keeps what it has and tries again later. */
export class StoreError extends Error {
  override name = 'StoreError'
  /** whether an attempt within seconds may succeed */
  readonly mayPass: boolean

  constructor(message: string, { mayPass }: { mayPass: boolean }) {
    super(message)
    this.mayPass = mayPass
  }
}

/** The stored recording has another hash than the one that was received. */
export class DamagedRecordingError extends StoreError {
  override name = 'DamagedRecordingError'
}

/** Recognised by `isMissing`, as the error of a file system is. */
export const missingFile = (path: string): Error =>
  Object.assign(new Error(`${path} is not stored`), { code: 'ENOENT' })
