"""Registers the engine `linear` with MindsDB: CREATE ML_ENGINE linear FROM linear."""

from mindsdb.integrations.libs.const import HANDLER_TYPE

from .linear import LinearHandler as Handler

title = "Linear"
name = "linear"
description = "Linear models for tables, fitted by least squares"
version = "1.0"
type = HANDLER_TYPE.ML
permanent = False
import_error = None
