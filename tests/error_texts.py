"""What an error tells, all of it."""


def all_texts(error):
    """Return the texts of an error and of all that it was raised in the course of."""
    texts = []
    while error is not None:
        texts.append(str(error))
        error = error.__cause__ or error.__context__
    return "\n".join(texts)
