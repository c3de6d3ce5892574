import { adultAnimate } from "./entries/adult-animate.ts";
import { adultEdit } from "./entries/adult-edit.ts";
import { adultI2v1 } from "./entries/adult-i2v-1.ts";
import { adultI2v2 } from "./entries/adult-i2v-2.ts";
import { adultI2v3 } from "./entries/adult-i2v-3.ts";
import { adultImg1 } from "./entries/adult-img-1.ts";
import { adultImg2 } from "./entries/adult-img-2.ts";
import { adultUpscale } from "./entries/adult-upscale.ts";
import { adultVid1 } from "./entries/adult-vid-1.ts";
import { adultVid2 } from "./entries/adult-vid-2.ts";
import { adultVid3 } from "./entries/adult-vid-3.ts";
import { adultVid4 } from "./entries/adult-vid-4.ts";
import { asr1 } from "./entries/asr-1.ts";
import { asr2 } from "./entries/asr-2.ts";
import { asr3 } from "./entries/asr-3.ts";
import { chat1 } from "./entries/chat-1.ts";
import { chat2 } from "./entries/chat-2.ts";
import { imgGenA1 } from "./entries/img-gen-a-1.ts";
import { imgGenA2 } from "./entries/img-gen-a-2.ts";
import { imgGenA3 } from "./entries/img-gen-a-3.ts";
import { imgGenB } from "./entries/img-gen-b.ts";
import { swap1 } from "./entries/swap-1.ts";
import { swap2 } from "./entries/swap-2.ts";
import { ttsA1 } from "./entries/tts-a-1.ts";
import { ttsA2 } from "./entries/tts-a-2.ts";
import { ttsB1 } from "./entries/tts-b-1.ts";
import { ttsB2 } from "./entries/tts-b-2.ts";
import { vidEdit } from "./entries/vid-edit.ts";
import { vidR2v } from "./entries/vid-r2v.ts";
import { vidT2v } from "./entries/vid-t2v.ts";
import { voice1 } from "./entries/voice-1.ts";
import { voice2 } from "./entries/voice-2.ts";
import type { Entry } from "./entry.ts";

/** Every entry of the catalog, in the order it is published. */
export const entries: readonly Entry[] = [
  chat1,
  chat2,
  ttsA1,
  ttsA2,
  ttsB1,
  ttsB2,
  asr1,
  asr2,
  asr3,
  voice1,
  voice2,
  imgGenA1,
  imgGenA2,
  imgGenA3,
  imgGenB,
  vidR2v,
  vidT2v,
  vidEdit,
  adultVid1,
  adultVid2,
  adultVid3,
  adultVid4,
  adultI2v1,
  adultI2v2,
  adultI2v3,
  adultImg1,
  adultImg2,
  adultEdit,
  swap1,
  swap2,
  adultAnimate,
  adultUpscale,
];
