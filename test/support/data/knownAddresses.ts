/* Public addresses that many tests use, and a public private key. */

/** On no list, and green in the sandbox. */
export const ethereum = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

/** On no list, and red in the sandbox. */
export const bitcoin = 'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh';

/** On no list, and green in the sandbox. */
export const tron = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE';

/* On the US Treasury's list of sanctioned addresses. */

/** The README has it as its example. */
export const sanctioned = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';
export const sanctionedMixer = '0x8589427373D6D84E98730D7795D8f6f8731FDA16';
/** In Base58, where a capital letter is another digit than the small one. */
export const sanctionedBitcoin = '149w62rY42aZBox8fGcmqNsXUzSStKeq8C';

/** The private key 1 in WIF. A user may paste such a key in the place of an address. */
export const privateKey = 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617';
