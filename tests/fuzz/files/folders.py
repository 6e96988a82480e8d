def folder_case(random, folder):
    raise NotImplementedError
