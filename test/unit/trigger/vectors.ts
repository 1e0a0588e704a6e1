/**
 * Bodies and their signatures, all made with openssl. For a body in FILE:
 *
 *   body              openssl dgst -sha256 -hmac SECRET <FILE
 *   timestampAndBody  (printf '%s.' 1614265330; cat FILE) | openssl dgst -sha256 -hmac SECRET
 *   standardWebhooks  (printf '%s.%s.' msg_p5jXN8AQM9LWM0D4loKWxJek 1614265330; cat FILE) |
 *                     openssl dgst -sha256 -mac HMAC -macopt hexkey:KEY -binary | base64
 *
 * where KEY is $(printf %s MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw | base64 -d | xxd -p), and base64 comes from `-binary | base64`.
 */
export const SECRET = 'wallet-hook-secret-2026';
export const PREVIOUS_SECRET = 'wallet-hook-secret-2025';
export const STANDARD_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
export const MESSAGE_ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
export const SIGNED_AT = 1614265330;

export interface Vector {
	content: Buffer;
	/** In hex. */
	body: string;
	/** In hex. */
	timestampAndBody: string;
	/** In base64. */
	standardWebhooks: string;
}

export const json: Vector = {
	content: Buffer.from(
		'{"job_id":"job_7f3a","results":[{"report_id":"rep_1","address":"0x52908400098527886E0F7030069857D2E4169EE7","chain":"ETH","risk":{"level":"green","score":0.02}}]}',
	),
	body: 'b530d44605865fd7bc217c2dfffcc918a784716851aba598ba922a1d1f9494e4',
	timestampAndBody: 'c9638b9479da9b54a8cebb1fa06d13b8c56a0df20de4e594def59d0ae31ee1e5',
	standardWebhooks: '3tIm1M/KVcm+IthhgQdi274imhvU9FG5c3L9QaLgmzc=',
};

/** Of the same body: in base64, and with the previous secret. */
export const jsonBase64 = {
	body: 'tTDURgWGX9e8IXwt//zJGKeEcWhRq6WYupIqHR+UlOQ=',
	timestampAndBody: 'yWOLlHnam1SozrsfoG0TuMVqDfIN5OWU3vWdCuMe4eU=',
};
export const byPreviousSecret = {
	body: 'f20bd553708bbb911c434c838d0090f18a21a1547ae7c0037786e4be3414b0ae',
	timestampAndBody: 'e7d1364e7fbb9da58e6653507a48ac227a1f40625843dc708415177484845837',
};

export const unicode: Vector = {
	content: Buffer.from('{"job_id":"jöb-№7","note":"☃ 𝄞"}'),
	body: 'c86b6b70f3593f394312c1034c459d33181609191335996e0995adbafb21f4d2',
	timestampAndBody: '1ff13f4a6efb90a5b96902b3d26c1dab41a5d547c3f65f3ce0fe476d5c65df81',
	standardWebhooks: 'nMdP9PuMzYzdCoAWi7I4xjujK00t764iGZZotE+bCk8=',
};

/** A body that is not UTF-8. */
export const invalidUtf8: Vector = {
	content: Buffer.from('7b22fffe80c0223a317d', 'hex'),
	body: '21d9c222f4979f8e377c32ae0870e2b1ade265bd51f8b30d564f05b2da24a647',
	timestampAndBody: '9c6f0a35e4eac8265dcfaf2722d3c42f9877ef0b12d62879dd6d5bbbf6563aa1',
	standardWebhooks: 'hCuXjSBF3A48//89bUMPxBJPDT+LkPMkwimg1sEZXck=',
};

export const empty: Vector = {
	content: Buffer.alloc(0),
	body: '3dad6a0250ea6d5b1db94072c76eb6c599cec4566a1a55da8d38056b813939bb',
	timestampAndBody: '1f7f72ffa9f163e53af28f0c5cfd0be7f55d471c9334f6b868919d93768e46b3',
	standardWebhooks: 'v48jdbgvh29KJz2Qc+ghw8G6vG3nAKnujWBg8oM/62A=',
};

/** 16 MB: `head -c 16777216 /dev/zero`. */
export const huge: Vector = {
	content: Buffer.alloc(16_777_216),
	body: '957145403d3604588c64ec01e5db0cd793afeb0238b0d4df0049fe540b696f2f',
	timestampAndBody: '9acfbfb0897edc4955dbd432ecc90a01173752500fe5ea53bb8b3412083824b2',
	standardWebhooks: '0xsUnfK7SL+njjjMMvxLfW57KEFnnFzlPLweLyJJFpI=',
};
