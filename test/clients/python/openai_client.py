"""What OpenAI's official Python client makes of this server, as one JSON object on standard output.

usage: openai_client.py BASE_URL RECORDING
Nothing of the client is changed but its base address; what it raises is told as {"raised": ...}.
"""

import json
import sys

import openai

base_url, recording = sys.argv[1:]
client = openai.OpenAI(api_key="not needed", base_url=base_url, max_retries=0)


def transcribe(**more):
    with open(recording, "rb") as file:
        return client.audio.transcriptions.create(file=file, model="whisper-1", **more)


def streamed():
    events = [event.to_dict() for event in transcribe(stream=True)]
    return {
        "types": sorted({event["type"] for event in events}),
        "pieces": "".join(event.get("delta", "") for event in events),
        "whole": events[-1]["text"],
    }


def verbose():
    heard = transcribe(response_format="verbose_json", timestamp_granularities=["word", "segment"])
    first = heard.segments[0]
    return {
        "text": heard.text,
        "language": heard.language,
        "segment": first.text,
        "numbers": [type(value).__name__ for value in (first.seek, first.temperature, first.avg_logprob)],
        "words": [word.word for word in heard.words],
    }


def logprobs():
    """The tokens of the answer, put together, and what the client makes of the first."""
    told = transcribe(include=["logprobs"]).logprobs
    first = told[0]
    kinds = [type(value).__name__ for value in (first.token, first.logprob, first.bytes)]
    return {"text": "".join(one.token for one in told), "kinds": kinds}


def refused():
    try:
        transcribe(response_format="docx")
    except openai.UnprocessableEntityError as error:
        return error.code
    return None


def translated():
    """tiny.en cannot translate: the client must be told so in its own kind of error."""
    try:
        with open(recording, "rb") as file:
            return client.audio.translations.create(file=file, model="whisper-1").text
    except openai.APIStatusError as error:
        return {"status": error.status_code, "code": error.code}


def azure(deployment, **more):
    """The same server as an Azure resource, whose deployments people call as they like."""
    resource = openai.AzureOpenAI(
        api_key="not needed",
        api_version="2024-10-21",
        azure_endpoint=base_url.removesuffix("/v1"),
        max_retries=0,
    )
    with open(recording, "rb") as file:
        return resource.audio.transcriptions.create(file=file, model=deployment, **more)


def azure_refused():
    try:
        azure("my-whisper", response_format="docx")
    except openai.UnprocessableEntityError as error:
        return error.code
    return None


def told(ask):
    try:
        return ask()
    except Exception as error:  # whatever the client makes of an answer is the result
        return {"raised": f"{type(error).__name__}: {error}"}


print(
    json.dumps(
        {
            "version": openai.__version__,
            "json": told(lambda: transcribe().text),
            "segments_as_json": told(lambda: transcribe(timestamp_granularities=["segment"]).text),
            "text": told(lambda: transcribe(response_format="text")),
            "srt": told(lambda: transcribe(response_format="srt")),
            "vtt": told(lambda: transcribe(response_format="vtt")),
            "verbose": told(verbose),
            "streamed": told(streamed),
            "chunking": told(lambda: transcribe(chunking_strategy={"type": "server_vad"}).text),
            "logprobs": told(logprobs),
            "extra": told(lambda: transcribe(extra_body={"user": "somebody", "vad_filter": True}).text),
            "models": told(lambda: [model.id for model in client.models.list()]),
            "model": told(lambda: client.models.retrieve("whisper-1").id),
            "azure": told(lambda: azure("my-whisper").text),
            "azure_verbose": told(lambda: azure("tiny.en", response_format="verbose_json").language),
            "azure_refused": told(azure_refused),
            "refused": told(refused),
            "translated": told(translated),
        }
    )
)
