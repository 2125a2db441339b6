"""Questions about a mechanism other than its motion from a given start: one file per question.

Each question is a function that takes a mechanism and returns an object with named quantities. Its text is a report,
`as_dict` gives plain data, and `plot` draws a picture.
"""
