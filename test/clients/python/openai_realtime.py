"""What OpenAI's official Python client makes of a transcription session, as one JSON object on standard output.

usage: openai_realtime.py BASE_URL RECORDING
The recording is a WAV of 16-bit mono samples at 24 kHz. Nothing of the client is changed but its base address.
"""

import asyncio
import base64
import json
import sys
import wave

import openai

base_url, recording = sys.argv[1:]
is_first_major = openai.__version__.startswith("1.")
options = {"api_key": "not needed", "base_url": base_url, "max_retries": 0}
if is_first_major:
    # It takes every address for one with TLS, unless it is told.
    options["websocket_base_url"] = base_url.replace("http", "ws")
# It wants a model, which newer ones leave to the session.
connection = {"extra_query": {"intent": "transcription"}}
if is_first_major:
    connection["model"] = "gpt-4o-transcribe"

with wave.open(recording) as file:
    assert (file.getframerate(), file.getsampwidth(), file.getnchannels()) == (24000, 2, 1)
    samples = file.readframes(file.getnframes())
SECOND = 48000
TENTH = SECOND // 10


def session(**turns):
    audio = {
        "input": {
            "format": {"type": "audio/pcm", "rate": 24000},
            "transcription": {"model": "gpt-4o-transcribe", "language": "en"},
            **turns,
        }
    }
    return {
        "type": "transcription",
        "audio": audio,
        "include": ["item.input_audio_transcription.logprobs"],
    }


def pieces(audio):
    for at in range(0, len(audio), TENTH):
        yield base64.b64encode(audio[at : at + TENTH]).decode()


def checked(event):
    """As the client has it: its own class, once more and strictly, of what came."""
    given = event.to_dict()
    type(event).model_validate(given, strict=True)
    return given


def told(events):
    """What a test looks at: what came in which order, the words piece by piece, and as a whole."""
    completed = [one for one in events if one["type"].endswith("transcription.completed")]
    return {
        "types": [one["type"] for one in events if not one["type"].endswith(".delta")],
        "deltas": "".join(one["delta"] for one in events if one["type"].endswith("transcription.delta")),
        "transcripts": [one["transcript"] for one in completed],
        "logprobs": "".join(token["token"] for one in completed for token in one.get("logprobs") or []),
        "usage": [one["usage"] for one in completed],
        "errors": [one["error"] for one in events if one["type"] == "error"],
    }


def until_completed(connection, count=1):
    events = []
    for event in connection:
        events.append(checked(event))
        if sum(one["type"].endswith("transcription.completed") for one in events) == count:
            return events
    raise RuntimeError("the connection was closed")


def with_pauses():
    with openai.OpenAI(**options).realtime.connect(**connection) as realtime:
        realtime.session.update(session=session(turn_detection={"type": "server_vad", "silence_duration_ms": 500}))
        for piece in pieces(samples + bytes(SECOND)):
            realtime.input_audio_buffer.append(audio=piece)
        return told(until_completed(realtime))


def by_hand():
    with openai.OpenAI(**options).realtime.connect(**connection) as realtime:
        realtime.session.update(session=session(turn_detection=None))
        realtime.input_audio_buffer.commit()
        for _ in range(2):
            for piece in pieces(samples):
                realtime.input_audio_buffer.append(audio=piece)
            realtime.input_audio_buffer.commit()
        # Nobody answers here; the session goes on.
        realtime.response.create()
        return told(until_completed(realtime, count=2))


async def asynchronously():
    async with openai.AsyncOpenAI(**options).realtime.connect(**connection) as realtime:
        await realtime.session.update(session=session(turn_detection=None))
        for piece in pieces(samples):
            await realtime.input_audio_buffer.append(audio=piece)
        await realtime.input_audio_buffer.clear()
        for piece in pieces(samples):
            await realtime.input_audio_buffer.append(audio=piece)
        await realtime.input_audio_buffer.commit()
        events = []
        async for event in realtime:
            events.append(checked(event))
            if events[-1]["type"].endswith("transcription.completed"):
                return told(events)


def first_version():
    """The API as it was before, which the first major version knows besides."""
    with openai.OpenAI(**options).beta.realtime.connect(**connection) as realtime:
        realtime.transcription_session.update(
            session={
                "input_audio_format": "pcm16",
                "input_audio_transcription": {"model": "gpt-4o-transcribe", "language": "en"},
                "turn_detection": {"type": "server_vad", "silence_duration_ms": 500},
            }
        )
        for piece in pieces(samples + bytes(SECOND)):
            realtime.input_audio_buffer.append(audio=piece)
        events = []
        for event in realtime:
            # It has no class for the first of these, and the other's wants a secret that is never sent here.
            is_session = event.type.startswith("transcription_session.")
            events.append(event.to_dict() if is_session else checked(event))
            if events[-1]["type"].endswith("transcription.completed"):
                return told(events)


def refused():
    try:
        with openai.OpenAI(**options).realtime.connect(**{**connection, "model": "nobody"}) as realtime:
            return checked(realtime.recv())["type"]
    except Exception as error:  # websockets has another class for it in each version
        return error.response.status_code


print(
    json.dumps(
        {
            "version": openai.__version__,
            "with_pauses": with_pauses(),
            "by_hand": by_hand(),
            "asynchronously": asyncio.run(asynchronously()),
            "first_version": first_version() if is_first_major else None,
            "refused": refused(),
        }
    )
)
