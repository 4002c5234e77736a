"""Runs LangChain's two audio parsers and prints the results as a JSON object.

usage: langchain_parsers.py SERVER RECORDING WAV
Only the address and the required options are set.
"""

import contextlib
import json
import os
import sys
import tempfile
import warnings

import imageio_ffmpeg

server, recording, wav = sys.argv[1:]
FORMATS = ["json", "text", "srt", "vtt", "verbose_json"]

# pydub looks for a program of this name when it is imported.
programs = tempfile.TemporaryDirectory()
os.symlink(imageio_ffmpeg.get_ffmpeg_exe(), os.path.join(programs.name, "ffmpeg"))
os.environ["PATH"] = programs.name + os.pathsep + os.environ["PATH"]

warnings.simplefilter("ignore", DeprecationWarning)  # langchain-community's own, that it is unmaintained
from langchain_community.document_loaders.generic import GenericLoader
from langchain_community.document_loaders.parsers.audio import AzureOpenAIWhisperParser, OpenAIWhisperParser
from langchain_core.documents.base import Blob


def openai(**more):
    return OpenAIWhisperParser(api_key="not needed", base_url=f"{server}/v1", **more)


def azure(**more):
    return AzureOpenAIWhisperParser(
        api_key="not needed",
        api_version="2024-06-01",
        azure_endpoint=server,
        deployment_name="my-whisper",
        max_retries=0,
        **more,
    )


def text(parser, path):
    """Both wait for nothing: a document for each part, and these recordings have one."""
    [document] = parser.parse(Blob.from_path(path))
    return document.page_content


def loaded():
    """As its documentation has it: a loader of files with the parser behind it."""
    folder, name = os.path.split(recording)
    return [one.page_content for one in GenericLoader.from_filesystem(folder, glob=name, parser=azure()).load()]


def refused():
    try:
        return text(azure(language="Klingon"), recording)
    except Exception as error:
        return {"status": error.status_code, "code": error.code}


with contextlib.redirect_stdout(sys.stderr):
    answers = {
        "openai": text(openai(), wav),
        "openai_formats": {name: text(openai(response_format=name), wav) for name in FORMATS},
        "openai_options": text(openai(language="en", prompt="Ada", temperature=0.0, model="gpt-4o-transcribe"), wav),
        "azure": text(azure(), recording),
        "azure_formats": {name: text(azure(response_format=name), recording) for name in FORMATS},
        "loaded": loaded(),
        "refused": refused(),
    }
print(json.dumps(answers))
