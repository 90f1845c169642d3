"""Answers of the vendor's two services as scripts keep them: the Web API and the Google Health API."""
