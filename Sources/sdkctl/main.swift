print("sdkctl")
