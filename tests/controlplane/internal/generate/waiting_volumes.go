package generate

type volumeState struct{}

func (m *waitingMaker) addStorage()                     {}
func (m *waitingMaker) useVolume(made draft, at *place) {}
