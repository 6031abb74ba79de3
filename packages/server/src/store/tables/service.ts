/** What the data took at an hour. */
interface StorageSizeTable {
  at: number
  bytes: number
  /** Of the disk; null: not known. */
  free_bytes: number | null
}

/** Written again and again: `beat` shows that judging goes on and that the database takes what is written. */
interface ServiceMarkTable {
  name: string
  at: number
}

/** The picture beside the product's name. */
interface LogoTable {
  id: number
  name: string
  png: Uint8Array
}

export interface ServiceTables {
  logo: LogoTable
  storage_size: StorageSizeTable
  service_mark: ServiceMarkTable
}
